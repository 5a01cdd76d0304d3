import { expect, test } from '@playwright/test';
import { performSoak } from './perform-soak.ts';

test('three workers and two web processes: kills lose nothing and repeat only calls in flight; graceful restarts repeat none', async () => {
  test.setTimeout(600_000);
  const report = await performSoak({
    seed: 10,
    learning: 20,
    asking: 10,
    rolling: 10,
    latencyMs: 200,
    kills: 4,
    killEveryMs: 1_500,
    postgresAt: [2],
    people: 2,
    writers: 2,
    endWithinMs: 120_000,
  });
  expect(report.faults).toEqual([]);
  // Ensures that the test had something to lose.
  expect(report.killed).toContain('postgres');
  expect(report.killed.filter((name) => name.startsWith('worker')).length).toBeGreaterThan(0);
  expect(report.decisions).toBeGreaterThan(0);
  expect(report.writes).toBeGreaterThan(0);
});
