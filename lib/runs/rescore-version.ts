import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { RescoreReport } from '#lib/statistics/rescore-report.ts';
import { loadRun } from './load-run.ts';
import { lockRuns } from './queries.ts';
import { addRescores, findRescores } from './rescores.ts';
import { withoutPeople } from './run-facts.ts';

/** Number of additional evaluations of a version. */
export const rescoreInputSchema = z.strictObject({ times: integerBetween(1, 20) });

/** Maximum number of waiting re-scores per run. */
const MAX_WAITING_RESCORES = 100;

/**
 * Requests more evaluations of a stored version, to measure how much its scores vary. A worker makes them. They are stored beside the run
 * and never enter its history. Returns the state of the version's re-scores.
 */
export async function rescoreVersion(
  context: AppContext,
  actor: Actor,
  runId: string,
  version: number,
  input: unknown,
): Promise<Result<RescoreReport>> {
  const parsed = parseInput(rescoreInputSchema, input);
  if (!parsed.ok) return parsed;
  const { times } = parsed.value;
  const stored = await loadRun(context.database, runId);
  if (stored === null) return fail('not_found', `There is no run ${runId}.`);
  if (stored.settings.mode === 'tune')
    return fail('conflict', 'A tuned prompt is scored on its cases, so it can’t be scored again as a version.');
  if (!stored.history.versions.some(({ number }) => number === version))
    return fail('not_found', `The run has no version ${version}.`, 'version');
  if (stored.history.versions.some(({ number, outputDropped }) => number === version && outputDropped))
    return fail('conflict', 'The text of this version was not kept when the run ended.', 'version');
  if (effectiveEvaluation(stored.history, version) === null)
    return fail('conflict', 'This version was not evaluated yet: there is no score to compare with.', 'version');
  if (withoutPeople(stored.settings).criteria.length === 0)
    return fail('conflict', 'Only people score this experiment: there is no judge whose scores could be compared.');
  const added = await inTransaction(context.database, async (transaction) => {
    const [status] = await lockRuns(transaction, { runId });
    if (status === undefined) return false;
    // Must be a separate query after the lock. A query that waits for the lock would count the state from before the wait.
    const waiting = await transaction.rescore.count({ where: { runId, status: 'waiting' } });
    if (waiting + times > MAX_WAITING_RESCORES) return false;
    await addRescores(transaction, runId, { version, times, requestedBy: actor.name, at: context.now() });
    await recordChange(transaction, actor, {
      act: 'rescored',
      subject: { kind: 'run', id: runId, name: stored.experimentName },
      change: { version, times },
    });
    // Otherwise the worker that has the run, or will claim it, makes the re-scores after the run.
    if (status !== 'running' && status !== 'queued') await context.enqueue([runId], transaction);
    return true;
  });
  if (!added)
    return fail(
      'conflict',
      `At most ${MAX_WAITING_RESCORES} re-scores of a run can be queued at a time. Wait until the queued ones are done.`,
    );
  const report = (await findRescores(context.database, stored)).find((candidate) => candidate.version === version);
  if (report === undefined) throw new Error('re-scores that were just added are not there');
  return succeed(report);
}
