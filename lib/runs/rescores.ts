import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { History } from '#lib/core/history.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { overallOf } from '#lib/core/score-evaluation.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { RESCORE_STATUSES, type Rescore, type RescoreReport, reportRescores } from '#lib/statistics/rescore-report.ts';
import { loadRun } from './load-run.ts';
import { lockRuns } from './queries.ts';
import { withoutPeople } from './run-facts.ts';

/** Adds `times` more re-scores of a version. The caller must lock the run's row, so that numbers have no gaps. */
async function addRescores(
  transaction: Transaction,
  runId: string,
  { times, version, requestedBy, at }: { version: number; times: number; requestedBy: string; at: Date },
): Promise<void> {
  const last = await transaction.rescore.findFirst({ where: { runId }, orderBy: { number: 'desc' } });
  const first = (last?.number ?? 0) + 1;
  await transaction.rescore.createMany({
    data: Array.from({ length: times }, (_, index) => ({
      ...{ runId, number: first + index, version },
      ...{ requestedBy, requestedAt: at },
    })),
  });
}

/** Returns the version that a re-score judges, or null if there is no such re-score. */
export async function findRescoredVersion({ prisma }: Database, runId: string, number: number): Promise<number | null> {
  const rescore = await prisma.rescore.findUnique({ where: { runId_number: { runId, number } } });
  return rescore?.version ?? null;
}

/** The result of a re-score. */
export type SettledRescore = Spend &
  Pick<Rescore, 'overallScore' | 'criteriaScores' | 'message'> & { status: 'scored' | 'partial' | 'failed' };

/** Stores the result of a re-score that `holder` has claimed. If it failed, the waiting re-scores of the same version are skipped. */
export async function settleRescore(
  database: Database,
  claim: { runId: string; number: number; version: number; holder: string },
  settled: SettledRescore,
  now: Date,
): Promise<void> {
  const { status, overallScore, criteriaScores, message, tokenUsage, costUsd, durationMs } = settled;
  const { runId, number, version, holder } = claim;
  await inTransaction(database, async ({ rescore }) => {
    const { count } = await rescore.updateMany({
      where: { runId, number, heldBy: holder, status: 'waiting' },
      data: {
        ...{ status, overallScore, criteriaScores: cleanJson(criteriaScores), costUsd, settledAt: now },
        ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output, durationMs: Math.round(durationMs) },
        message: message === null ? null : cleanText(message),
      },
    });
    if (count === 0 || status !== 'failed') return;
    await rescore.updateMany({
      where: { runId, version, status: 'waiting' },
      data: { status: 'skipped', settledAt: now },
    });
  });
}

const rescoreSchema = z.object({
  status: z.enum(RESCORE_STATUSES),
  criteriaScores: z.record(z.string(), z.number().nullable()),
});

/** Returns all re-scores of a run in the order they were requested. */
export async function listRescores(database: Database, runId: string): Promise<Rescore[]> {
  const rows = await database.prisma.rescore.findMany({ where: { runId }, orderBy: { number: 'asc' } });
  return rows.map(({ version, overallScore, message, inputTokens, outputTokens, costUsd, ...row }) => ({
    ...{ version, overallScore, message, tokens: inputTokens + outputTokens, costUsd },
    ...rescoreSchema.parse(row),
  }));
}

/**
 * Returns the variation of the re-scores, one report for each version that has any, in version order. Criteria scored by people are left
 * out on both sides.
 */
export async function findRescores(
  database: Database,
  { run, history, settings }: { run: { id: string }; history: History; settings: ExperimentSettings },
): Promise<RescoreReport[]> {
  const judged = withoutPeople(settings);
  const rescores = await listRescores(database, run.id);
  const versions = [...new Set(rescores.map(({ version }) => version))].sort((one, other) => one - other);
  return versions.map((version) => {
    const own = history.evaluations.filter((one) => one.version === version && one.by === 'machine');
    const first = own.find(({ status }) => status === 'scored') ?? own.at(-1) ?? null;
    return reportRescores(
      version,
      rescores.filter((rescore) => rescore.version === version),
      first && { ...first, overallScore: overallOf(judged, first.criteriaScores) },
      judged.criteria.map(({ name }) => name),
    );
  });
}

/** Number of additional evaluations of a version. */
export const rescoreInputSchema = z.strictObject({ times: integerBetween(1, 20) });

/** Maximum number of waiting re-scores per run. */
const MAX_WAITING_RESCORES = 100;

/**
 * Requests more evaluations of a stored version, to measure how much its scores vary. A worker makes them. They are stored separately and
 * never enter the history of the run. Returns the state of the version's re-scores.
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
  if (stored === null) return notStored('run', runId);
  if (stored.settings.mode === 'tune')
    return fail('conflict', 'A tuned prompt is scored on its cases, so it can’t be scored again as a version.');
  if (!stored.history.versions.some(({ number }) => number === version))
    return fail('not_found', 'The run has no version with this number.', 'version');
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
  if (report === undefined) throw new Error('new re-scores were not found');
  return succeed(report);
}
