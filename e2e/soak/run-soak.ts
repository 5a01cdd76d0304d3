import { parseArgs } from 'node:util';
import { z } from 'zod';
import { performSoak } from './perform-soak.ts';

// `npm run soak [-- --kills 300] [--every 3000] [--seed 1]`: takes about eight minutes by default. Exits with 1 if something was lost or
// duplicated.
const { values } = parseArgs({
  options: { kills: { type: 'string' }, every: { type: 'string' }, seed: { type: 'string' } },
});
const { kills, every, seed } = z
  .object({
    kills: z.coerce.number().int().min(1).max(10_000).default(60),
    /** Approximate milliseconds between two kills. */
    every: z.coerce.number().int().min(200).default(4_000),
    seed: z.coerce
      .number()
      .int()
      .default(Date.now() % 1_000_000),
  })
  .parse(values);
console.log(`soak with seed ${seed}: ${kills} kills`);
const startedAt = performance.now();
// Sizes the load to last about as long as the kills, so that every kill hits running work.
const killSeconds = (kills * every) / 1000;
const report = await performSoak(
  {
    seed,
    learning: Math.ceil(1.4 * killSeconds),
    asking: Math.ceil(0.4 * killSeconds),
    rolling: 50,
    latencyMs: 1_500,
    kills,
    killEveryMs: every,
    postgresAt: [Math.ceil(kills / 3), Math.ceil((2 * kills) / 3)],
    people: 4,
    writers: 4,
    endWithinMs: 1_200_000,
  },
  (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`),
);
console.log(JSON.stringify({ ...report, killed: report.killed.length }, null, 2));
process.exitCode = report.faults.length === 0 ? 0 : 1;
