import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { withClient } from '#lib/database/connections.ts';
import { startPreparedPostgres } from '../prepared-postgres.ts';
import { startFleet } from '../soak/fleet.ts';
import { expectWholeBatch, learningTasks, startLearningBatch } from './learning-batch.ts';
import { startLearningProvider } from './learning-provider.ts';

const SLOTS = 4;
/** Longer than the 30 s without a heartbeat after which other workers take over. */
const PAUSE_MS = 40_000;

/** Selects duplicate journal rows, and runs whose totals differ from the journal. */
const KEPT_TWICE = `
  SELECT run_id FROM model_calls WHERE failure IS NULL AND text IS NOT NULL GROUP BY run_id, step, ordinal, fingerprint HAVING count(*) > 1
  UNION ALL SELECT run_id FROM reflection_versions GROUP BY run_id, step, proposal->>'round' HAVING count(*) > 1
  UNION ALL SELECT run_id FROM lessons WHERE step > 0 AND run_id IS NOT NULL GROUP BY run_id, step HAVING count(*) > 1
  UNION ALL SELECT r.id FROM runs r WHERE r.call_count <> (SELECT count(*) FROM model_calls c WHERE c.run_id = r.id AND c.attempts > 0)`;

test('a worker suspended for 40 s saves no duplicates after others took over its runs', async () => {
  test.setTimeout(600_000);
  const tasks = learningTasks(40);
  const postgres = await startPreparedPostgres();
  const { connectionString } = postgres;
  const provider = await startLearningProvider(tasks, () => 2_000);
  const fleet = await startFleet({ connectionString, webs: 1, workers: 2, slots: SLOTS });
  const ask = <Row extends object>(text: string) =>
    withClient(connectionString, async (client) => (await client.query<Row>(text)).rows);
  const claims = () =>
    ask<{ id: string; claimed_by: string }>("SELECT id, claimed_by FROM runs WHERE status = 'running'");
  try {
    const app = fleet.webs[0]?.app;
    const paused = fleet.workers[0]?.app;
    if (app == null || paused == null) throw new Error('the fleet has a web process and two workers');
    const batchId = await startLearningBatch(app, provider, tasks);
    await expect.poll(() => provider.open().now, { timeout: 60_000 }).toBe(2 * SLOTS);
    paused.kill('SIGSTOP');
    const pausedAt = performance.now();
    const [self] = await ask<{ id: string }>(`SELECT id FROM app_processes WHERE process_id = ${paused.processId}`);
    const held = (await claims()).filter(({ claimed_by }) => claimed_by === self?.id).map(({ id }) => id);
    expect(held.length).toBeGreaterThan(0);
    const stillHeld = async () =>
      (await claims()).filter(({ id, claimed_by }) => held.includes(id) && claimed_by === self?.id).length;
    await expect.poll(stillHeld, { timeout: 120_000 }).toBe(0);
    await sleep(Math.max(0, PAUSE_MS - (performance.now() - pausedAt)));
    paused.kill('SIGCONT');
    // Only the calls in flight when the worker was suspended are repeated.
    await expectWholeBatch(app, batchId, provider, tasks, held.length);
    expect(await ask(KEPT_TWICE)).toEqual([]);
    const late = "SELECT coalesce(sum(calls), 0)::int AS calls FROM other_spend WHERE purpose = 'late_call'";
    expect((await ask<{ calls: number }>(late))[0]?.calls).toBeLessThanOrEqual(held.length);
  } finally {
    // A suspended process handles no other signal.
    fleet.workers[0]?.app?.kill('SIGCONT');
    await fleet.stop();
    await provider.stop();
    await postgres.stop();
  }
});
