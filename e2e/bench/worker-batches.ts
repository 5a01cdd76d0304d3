import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { Database } from '#lib/database/database.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { openQueue } from '#lib/queue/queue.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { taskOf } from './loop-task.ts';
import { retrySettings } from './retry-settings.ts';

/** Returns a function that starts the given number of runs, waits until they end, and returns the number of status queries. */
export async function prepareBatches(
  database: Database,
  connectionString: string,
  baseUrl: string,
): Promise<(runs: number) => Promise<number>> {
  const context = testContext(database);
  const name = `canned-${randomUUID().slice(0, 8)}`;
  unwrap(await saveProvider(context, TESTER, { name, kind: 'openai-compatible', baseUrl }));
  const { id } = unwrap(await createExperiment(context, TESTER, { name, ...retrySettings(name) }));
  return async (runs) => {
    const queue = await openQueue(connectionString, (error) => console.error(error));
    const cases = Array.from({ length: runs }, (_, run) => ({ input: taskOf(run), reference: 'never this' }));
    const sending = { ...context, enqueue: queue.enqueue };
    unwrap(await startBatch(sending, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
    await queue.stop(0);
    return waitForEnd(database);
  };
}

/** Waits until all runs have ended. Returns the number of queries. */
export async function waitForEnd({ pool }: Database): Promise<number> {
  for (let looks = 1; ; looks++) {
    const { rows } = await pool.query("SELECT 1 FROM runs WHERE status IN ('queued', 'running') LIMIT 1");
    if (rows.length === 0) return looks;
    await sleep(500);
  }
}
