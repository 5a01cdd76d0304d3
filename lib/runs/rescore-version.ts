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

/** How often a version is to be judged again. */
export const rescoreInputSchema = z.strictObject({ times: integerBetween(1, 20) });

/** The most re-scores that may wait for one run at a time. */
const MOST_WAITING = 100;

/**
 * Asks for more judgements of a stored version, to see how far its scores spread. A worker makes them; they are stored beside the
 * run and never enter its history. Answers how the version's re-scores stand.
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
    // Asked once the run is held: in the query that waits for it, it would be counted as of before the wait.
    const waiting = await transaction.rescore.count({ where: { runId, status: 'waiting' } });
    if (waiting + times > MOST_WAITING) return false;
    await addRescores(transaction, runId, { version, times, requestedBy: actor.name, at: context.now() });
    await recordChange(transaction, actor, {
      act: 'rescored',
      subject: { kind: 'run', id: runId, name: stored.experimentName },
      change: { version, times },
    });
    // The worker that has the run, or is about to take it, does them when it is through with it.
    if (status !== 'running' && status !== 'queued') await context.enqueue([runId], transaction);
    return true;
  });
  if (!added)
    return fail(
      'conflict',
      `At most ${MOST_WAITING} re-scores of a run can be queued at a time. Wait until the queued ones are done.`,
    );
  const report = (await findRescores(context.database, stored)).find((candidate) => candidate.version === version);
  if (report === undefined) throw new Error('re-scores that were just added are not there');
  return succeed(report);
}
