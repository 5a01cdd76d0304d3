import { performSoak } from './perform-soak.ts';

// `npm run soak [seed]`: the long form, about eight minutes. Ends with 1 when something was lost or kept twice.
const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
console.log(`soak with seed ${seed}`);
const startedAt = performance.now();
const report = await performSoak(
  {
    seed,
    learning: 350,
    asking: 100,
    rolling: 50,
    latencyMs: 1_500,
    kills: 60,
    killEveryMs: 4_000,
    postgresAt: [20, 40],
    people: 4,
    endWithinMs: 240_000,
  },
  (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`),
);
console.log(JSON.stringify({ ...report, killed: report.killed.length }, null, 2));
process.exitCode = report.faults.length === 0 ? 0 : 1;
