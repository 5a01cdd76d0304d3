import { z } from 'zod';
import { readArguments, refuseArguments } from '#lib/system/read-arguments.ts';
import { performSoak } from './perform-soak.ts';

const USAGE = `Usage: npm run soak -- [options]

Kills processes at random and checks that nothing was lost or stored twice. Exits with 1 if something was.
  --kills <number>          number of kills (default 60, which takes about eight minutes)
  --every <milliseconds>    approximate time between two kills (default 4000)
  --seed <number>           seed of the random choices (default: random)`;

const { values } = readArguments(USAGE, {
  options: { kills: { type: 'string' }, every: { type: 'string' }, seed: { type: 'string' } },
});
const read = z
  .object({
    kills: z.coerce.number().int().min(1).max(10_000).default(60),
    every: z.coerce.number().int().min(200).default(4_000),
    seed: z.coerce
      .number()
      .int()
      .default(Date.now() % 1_000_000),
  })
  .safeParse(values);
if (!read.success) refuseArguments(z.prettifyError(read.error), USAGE);
const { kills, every, seed } = read.data;
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
