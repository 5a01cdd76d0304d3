import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { ablationPositions } from '#lib/statistics/ablation.ts';
import type { AblationReport } from '#lib/statistics/ablation-report.ts';
import {
  findAblation,
  findMeasurable,
  findWaitingAblation,
  NOT_ENDED,
  reportAblation,
  stopWaitingAblation,
} from './ablations.ts';
import { loadRun, type StoredRun } from './load-run.ts';
import { lockRuns } from './queries.ts';

/** Maximum number of example scores of the measurement, including those from earlier requests. */
export const ablationInputSchema = z.strictObject({ maxTries: integerBetween(1, 1_000_000) });

/**
 * Starts measuring the contribution of each change in a tuning run's winning prompt. A worker runs the prompt without each part, and the
 * whole prompt again, on validation cases. The results are stored beside the run, whose history, result and budgets do not change. A
 * repeated request with a higher limit continues with more cases.
 */
export async function requestAblation(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown,
): Promise<Result<AblationReport>> {
  const parsed = parseInput(ablationInputSchema, input);
  if (!parsed.ok) return parsed;
  const { maxTries } = parsed.value;
  const stored = await loadRun(context.database, runId, 'scores');
  if (stored === null) return fail('not_found', `There is no run ${runId}.`);
  const found = findMeasurable(stored);
  if ('problem' in found) return fail('conflict', found.problem);
  const { version, leastTries } = found.plan;
  if (maxTries < leastTries)
    return fail(
      'invalid',
      `At least ${formatNumberOf(leastTries, 'try', 'tries')} are needed: the whole prompt and the prompt without each part, on the fewest cases that can show a difference.`,
      'maxTries',
    );
  const problem = await inTransaction(context.database, async (transaction) => {
    const [status] = await lockRuns(transaction, { runId });
    if (status === undefined) return fail('not_found', `There is no run ${runId}.`);
    // The run may have been resumed since it was read.
    if (!isEndedStatus(status)) return fail('conflict', NOT_ENDED);
    if ((await findWaitingAblation(transaction, runId)) !== null)
      return fail('conflict', 'These changes are being measured already.');
    const before = await findAblation({ prisma: transaction }, runId, version);
    if (before !== null && before.status !== 'failed' && maxTries <= before.tries.length)
      return fail(
        'conflict',
        `The measurement has made ${formatNumberOf(before.tries.length, 'try', 'tries')}. Allow more to measure further cases.`,
        'maxTries',
      );
    const parts = before?.parts ?? found.parts;
    const plan = { parts: parts.length, maxTries, ...(before !== null && { before: before.positions }) };
    const positions = ablationPositions(stored.history, stored.settings, plan);
    // A worker that still has calls in progress keeps its lease and continues with this plan.
    const data = {
      ...{ positions, maxTries, status: 'waiting', message: null, requestedBy: actor.name },
      ...{ requestedAt: context.now(), settledAt: null },
    };
    await transaction.ablation.upsert({
      where: { runId_number: { runId, number: version } },
      create: { runId, number: version, parts, ...data },
      update: data,
    });
    await recordChange(transaction, actor, {
      act: 'measured',
      subject: { kind: 'run', id: runId, name: stored.experimentName },
      change: { version, maxTries },
    });
    await context.enqueue([runId], transaction);
    return null;
  });
  return problem ?? reportOf(context, stored, version);
}

/** Stops a measurement in progress and keeps its results. */
export async function stopAblation(context: AppContext, actor: Actor, runId: string): Promise<Result<AblationReport>> {
  const stored = await loadRun(context.database, runId, 'scores');
  if (stored === null) return fail('not_found', `There is no run ${runId}.`);
  const version = await inTransaction(context.database, async (transaction) => {
    const stopped = await stopWaitingAblation(transaction, runId, context.now());
    if (stopped === null) return null;
    await recordChange(transaction, actor, {
      act: 'measured',
      subject: { kind: 'run', id: runId, name: stored.experimentName },
      change: { version: stopped, stopped: true },
    });
    return stopped;
  });
  if (version === null) return fail('conflict', 'No measurement is under way.');
  return reportOf(context, stored, version);
}

async function reportOf({ database }: AppContext, stored: StoredRun, version: number): Promise<Result<AblationReport>> {
  const ablation = await findAblation(database, stored.run.id, version);
  if (ablation === null) throw new Error('an ablation that was just asked for is not there');
  return succeed(reportAblation(stored.history, ablation));
}
