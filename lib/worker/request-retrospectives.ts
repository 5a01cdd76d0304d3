import { type AuditActor, HONE_ACTOR, recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { tryLock } from '#lib/database/locks.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import {
  addRetrospective,
  listRetrospectives,
  type RetrospectiveRecord,
} from '#lib/lessons/retrospectives/retrospectives.ts';
import { listRunsDueForRetrospective } from '#lib/lessons/write-queries.ts';
import { canLookBack } from '#lib/models/imported-runs.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { lockRuns } from '#lib/runs/queries.ts';
import { runPeriodically } from './run-periodically.ts';

/** Interval of checks for experiments with a due schedule, in milliseconds. */
const LOOK_MS = 60_000;

/**
 * Starts requesting retrospectives of ended runs by the schedules of their experiments. Returns a function that stops this and waits for
 * work in progress.
 */
export function watchRetrospectives(context: AppContext, lookMs: number = LOOK_MS): () => Promise<void> {
  return runPeriodically('look backs', lookMs, (signal) => startDueRetrospectives(context, signal));
}

/**
 * Requests the due retrospectives. For each experiment with `lessons.lookBackEvery`, covers at most `lessons.lookBackRuns` of the runs that
 * ended since the last time. Returns their number, or null if another process is doing this.
 * A worker makes them like manual ones: within the budgets of the experiment and the month. Their lessons are redacted, screened and wait
 * for review.
 */
export function startDueRetrospectives(context: AppContext, signal: AbortSignal): Promise<number | null> {
  return tryLock(context.database, 'retrospectives', async () => {
    let requestedCount = 0;
    for (const runId of await listRunsDueForRetrospective(context.database)) {
      if (signal.aborted) return requestedCount;
      if ((await requestRetrospective(context, HONE_ACTOR, runId, { scheduled: true })).ok) requestedCount++;
    }
    return requestedCount;
  });
}

/**
 * Requests a retrospective of an ended run: one call over its whole course that adds typed lessons to the library. A worker makes it. It is
 * stored separately and does not affect the history, totals or budgets of the run. Only one may wait at a time. Fails if the run's settings
 * write no lessons. `scheduled`: true if Hone requests it, see `startDueRetrospectives`.
 */
export async function requestRetrospective(
  context: AppContext,
  actor: AuditActor,
  runId: string,
  { scheduled = false }: { scheduled?: boolean } = {},
): Promise<Result<RetrospectiveRecord>> {
  const stored = await loadRun(context.database, runId);
  if (stored === null) return notStored('run', runId);
  if (stored.settings.mode === 'tune')
    return fail('conflict', 'A run that tunes a prompt writes no lessons. What it learned is in its prompts.');
  if (stored.run.finishedAt === null)
    return fail('conflict', 'The run has not ended. Request the retrospective after it has ended.');
  if (stored.history.versions.length === 0) return fail('conflict', 'The run made no version to learn from.');
  if (stored.settings.lessons.write === 'off')
    return fail('conflict', 'The settings of this run write no lessons (lessons.write is off).');
  if (!canLookBack(stored.settings))
    return fail('conflict', 'This run was imported. Its settings name no model that could look back over it.');
  const outcome = await inTransaction(context.database, async (transaction) => {
    const [status] = await lockRuns(transaction, { runId });
    if (status === undefined) return 'waits';
    // Must be a separate query after the lock. A query that waits for the lock would return the state from before the wait.
    if ((await transaction.retrospective.count({ where: { runId, status: 'waiting' } })) > 0) return 'waits';
    await addRetrospective(transaction, runId, { requestedBy: actor.name, at: context.now(), scheduled });
    await recordChange(transaction, actor, {
      act: 'requested',
      subject: { kind: 'run', id: runId, name: stored.experimentName },
      change: { what: 'retrospective' },
    });
    // Otherwise the worker that has the run, or will claim it, makes the retrospective after the run.
    if (status !== 'running' && status !== 'queued') await context.enqueue([runId], transaction);
    return 'added';
  });
  if (outcome === 'waits') return fail('conflict', 'A retrospective of this run is already in progress.');
  const added = (await listRetrospectives(context.database, runId)).at(-1);
  if (added === undefined) throw new Error('a new retrospective was not found');
  return succeed(added);
}
