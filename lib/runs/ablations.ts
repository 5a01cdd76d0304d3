import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import { callsOfAnswer } from '#lib/core/estimate-next-step.ts';
import type { ExampleScore, History } from '#lib/core/history.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { sumSpend } from '#lib/core/spend.ts';
import { isSameCandidate, isSameParameters, parametersOf } from '#lib/core/tuning/candidate-parameters.ts';
import { positionsOf, validationPositions } from '#lib/core/tuning/case-scores.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import {
  type AblationPart,
  type AblationPlan,
  ablationHistory,
  ablationPartSchema,
  ablationParts,
  ablationPositions,
  ablationTries,
  linesOfPart,
} from '#lib/statistics/ablation.ts';
import {
  ABLATION_STATUSES,
  type AblationPlanReport,
  type AblationReport,
  type AblationStatus,
  type AblationView,
  contributions,
} from '#lib/statistics/ablation-report.ts';
import { loadRun, type StoredRun } from './load-run.ts';
import { lockRuns } from './queries.ts';

/** Stored ablation, with its example scores by version and case. */
export type StoredAblation = AblationPlan & {
  status: AblationStatus;
  message: string | null;
  requestedBy: string;
  requestedAt: Date;
  tries: ExampleScore[];
};

const storedSchema = z.object({ parts: z.array(ablationPartSchema), status: z.enum(ABLATION_STATUSES) });

/** Returns the negative step for journaling the calls of an ablation, distinct from re-scores and retrospectives. */
export function ablationStep(version: number): number {
  return FIRST_STEP - version;
}

const FIRST_STEP = -500_000;

/** Returns the ablation of a version, or null if none was requested. */
export async function findAblation(
  { prisma }: { prisma: Transaction },
  runId: string,
  version: number,
): Promise<StoredAblation | null> {
  const found = await prisma.ablation.findUnique({
    where: { runId_number: { runId, number: version } },
    include: { tries: { orderBy: [{ version: 'asc' }, { position: 'asc' }, { attempt: 'asc' }] } },
  });
  if (found === null) return null;
  const { positions, maxTries, message, requestedBy, requestedAt, tries, ...stored } = found;
  return {
    ...storedSchema.parse(stored),
    ...{ version, positions, maxTries, message, requestedBy, requestedAt },
    tries: tries.map(({ inputTokens: input, outputTokens: output, createdAt, score, ...one }) => ({
      ...{ version: one.version, position: one.position, attempt: one.attempt, step: 0, score },
      ...{
        status: score === null ? ('partial' as const) : ('scored' as const),
        satisfactory: false,
        criteriaScores: {},
      },
      ...{ output: '', feedback: '', detail: '', issues: [], suggestions: [], finishReason: '', paidBefore: false },
      ...{ costUsd: one.costUsd, durationMs: one.durationMs, createdAt: createdAt.toISOString() },
      tokenUsage: { input, output, total: input + output },
    })),
  };
}

/** Returns the number of a run's waiting or running ablation, or null. */
async function findWaitingAblation({ ablation }: Transaction, runId: string): Promise<number | null> {
  const found = await ablation.findFirst({ where: { runId, status: 'waiting' }, select: { number: true } });
  return found?.number ?? null;
}

/**
 * Stops the waiting or running ablation of a run and returns its number, or null if there is none. Its worker keeps the claim until its
 * calls have ended, so that nobody repeats them meanwhile.
 */
export async function stopWaitingAblation({ ablation }: Transaction, runId: string, now: Date): Promise<number | null> {
  const stopped = await ablation.updateManyAndReturn({
    where: { runId, status: 'waiting' },
    data: { status: 'stopped', settledAt: now },
    select: { number: true },
  });
  return stopped[0]?.number ?? null;
}

type AblationClaim = { runId: string; number: number; holder: string };

/**
 * Saves example scores of an ablation claimed by `holder`, even after it was stopped. Deletes tool results whose ids start with one of
 * `settled`. Returns the remaining plan, which changes if the ablation was stopped and requested again meanwhile. Returns null if it is
 * stopped or claimed by another worker.
 */
export function saveAblationTries(
  database: Database,
  key: AblationClaim,
  tries: readonly ExampleScore[],
  settled: readonly string[],
): Promise<Pick<AblationPlan, 'positions' | 'maxTries'> | null> {
  const { runId, number, holder } = key;
  return inTransaction(database, async ({ ablation, ablationTry, toolResult }) => {
    const [claimed] = await ablation.updateManyAndReturn({
      where: { runId, number, heldBy: holder },
      data: { message: null },
      select: { status: true, positions: true, maxTries: true },
    });
    if (claimed === undefined) return null;
    await ablationTry.createMany({
      data: tries.map(({ version, position, attempt, score, tokenUsage, costUsd, durationMs, createdAt }) => ({
        ...{ runId, number, version, position, attempt, score, costUsd, createdAt },
        ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output, durationMs: Math.round(durationMs) },
      })),
    });
    if (settled.length > 0)
      await toolResult.deleteMany({
        where: { runId, step: ablationStep(number), OR: settled.map((startsWith) => ({ callId: { startsWith } })) },
      });
    return claimed.status === 'waiting' ? claimed : null;
  });
}

/** Saves the outcome of an ablation claimed by `holder`, unless it was stopped, or requested again with a different `maxTries`. */
export async function settleAblation(
  { prisma }: DatabaseClient,
  { runId, number, holder, maxTries }: AblationClaim & Pick<AblationPlan, 'maxTries'>,
  { status, message }: { status: 'done' | 'failed'; message: string | null },
  now: Date,
): Promise<void> {
  await prisma.ablation.updateMany({
    where: { runId, number, heldBy: holder, maxTries, status: 'waiting' },
    data: { status, message: message === null ? null : cleanText(message), settledAt: now },
  });
}

/** Reason why the prompt of an unfinished run cannot be measured yet. */
const NOT_ENDED = 'Wait until the run has ended.';

/** Returns the measurable prompt of an ended tuning run with the first prompt, or the reason why there is none. */
function measurable({
  run,
  history,
  settings,
}: StoredRun): { version: number; first: string; prompt: string } | { problem: string } {
  if (settings.mode !== 'tune') return { problem: 'Only the prompts of tuning runs can be measured.' };
  if (run.convergenceReason === null) return { problem: NOT_ENDED };
  const version = run.finalVersion ?? bestVersion(history, settings.bestVersion);
  const [first] = history.versions;
  const found = history.versions.find(({ number }) => number === version);
  if (first === undefined || found === undefined) return { problem: 'The run has no prompt that was validated.' };
  if (isSameCandidate(history, first, found))
    return { problem: 'The run kept its first prompt, so there are no changes.' };
  if (first.outputDropped || found.outputDropped)
    return { problem: 'The text of a prompt was not kept when the run ended.' };
  if (found.output === first.output)
    return { problem: 'Only the model or the temperature changed, so there are no changed lines.' };
  return { version: found.number, first: first.output, prompt: found.output };
}

/** Measurable parts of a winning prompt, and the plan with their lines and cost. */
type Measurable = { parts: AblationPart[]; plan: AblationPlanReport };

/** Returns the parts of the winning prompt, or the reason why it cannot be measured. */
export function findMeasurable(stored: StoredRun): Measurable | { problem: string } {
  const found = measurable(stored);
  if ('problem' in found) return found;
  const { history, settings } = stored;
  const { version, first, prompt } = found;
  const { parts, fixed } = ablationParts(first, prompt, history.cases);
  if (parts.length === 0)
    return { problem: 'No change can be left out alone: the prompt could not be used without it.' };
  const cases = validationPositions(history).length;
  const { least, most } = ablationTries(parts.length, cases);
  return {
    parts,
    plan: {
      version,
      parts: parts.map((part) => linesOfPart(prompt, part)),
      fixed: fixed.map(({ part, problem }) => ({
        ...linesOfPart(prompt, part),
        kind: problem.kind,
        problem: problem.text,
      })),
      cases,
      validatesOn: positionsOf(history, 'validation').length > 0 ? 'validation' : 'train',
      ...{ leastTries: least, mostTries: most },
      callsPerTry: callsOfAnswer(settings) + callsOfEvaluation(settings),
      costPerTryUsd: costPerTry(history, version),
    },
  };
}

/** Returns the average cost of example scores with a version's model and temperature, which an ablation also uses. Null without prices. */
function costPerTry(history: History, version: number): number | null {
  const parameters = parametersOf(history, version);
  const alike = new Set(
    history.versions
      .filter(({ number }) => isSameParameters(parametersOf(history, number), parameters))
      .map(({ number }) => number),
  );
  const paid = history.tries.filter((one) => !one.paidBefore && alike.has(one.version));
  const { costUsd } = sumSpend(paid);
  return paid.length === 0 || costUsd === null ? null : costUsd / paid.length;
}

function reportAblation(
  history: History,
  { version, parts, positions, maxTries, status, message, requestedBy, requestedAt, tries }: StoredAblation,
): AblationReport {
  const measured = contributions(ablationHistory(history, { version, parts }, tries), positions);
  const prompt = history.versions.find(({ number }) => number === version)?.output ?? '';
  const spend = sumSpend(tries);
  return {
    ...{ version, status, message, requestedBy, requestedAt: requestedAt.toISOString(), maxTries },
    ...{ tries: tries.length, cases: new Set(tries.map(({ position }) => position)).size },
    tokens: spend.tokenUsage.total,
    costUsd: tries.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unpriced: spend.costUsd === null,
    whole: measured.whole,
    parts: measured.parts.map((part, index) => ({
      ...linesOfPart(prompt, parts[index] ?? { edits: [] }),
      ...part,
    })),
  };
}

/** Returns the plan for a run's winning prompt, and the report of the running ablation or else that of this prompt. */
export async function findAblationView(database: DatabaseClient, stored: StoredRun): Promise<AblationView> {
  const found = findMeasurable(stored);
  const { plan, problem } = 'problem' in found ? { plan: null, problem: found.problem } : { ...found, problem: null };
  const { id } = stored.run;
  const number = (await findWaitingAblation(database.prisma, id)) ?? plan?.version ?? null;
  const ablation = number === null ? null : await findAblation(database, id, number);
  return { plan, problem, report: ablation === null ? null : reportAblation(stored.history, ablation) };
}

/** Maximum number of example scores of the measurement, including those from earlier requests. */
export const ablationInputSchema = z.strictObject({ maxTries: integerBetween(1, 1_000_000) });

/**
 * Starts measuring the contribution of each change in a tuning run's winning prompt. A worker runs the prompt without each part, and the
 * whole prompt again, on validation cases. The results are stored separately. The history, result and budgets of the run do not change. A
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
  if (stored === null) return notStored('run', runId);
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
    if (status === undefined) return notStored('run', runId);
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
  if (stored === null) return notStored('run', runId);
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
  if (ablation === null) throw new Error('a new ablation was not found');
  return succeed(reportAblation(stored.history, ablation));
}
