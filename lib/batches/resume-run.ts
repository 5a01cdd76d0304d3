import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type RunLimits, runLimitsSchema, withLimits } from '#lib/core/budget-settings.ts';
import { type Decision, type History, PLAIN_DECISION } from '#lib/core/history.ts';
import { nextStep, reasonsToEnd } from '#lib/core/next-step.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendOfRun, spendsOf } from '#lib/core/spend.ts';
import { RUN_BUDGET_REASONS, runLimitReasons, type StopReason } from '#lib/core/stop-reasons.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { limitedTries } from '#lib/core/tuning/case-scores.ts';
import { findMissingInputOfRun } from '#lib/core/unscored-failure.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import { type ExperimentView, findExperiment } from '#lib/experiments/queries.ts';
import type { ExperimentOrigin } from '#lib/experiments/schema.ts';
import { formatCost, formatCount, formatDuration, formatMoney, formatNumberOf, joinParts } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { endRateLimitWait } from '#lib/runs/rate-limits.ts';
import { runLimitsOf } from '#lib/runs/run-facts.ts';
import { type RunChange, updateRun } from '#lib/runs/update-run.ts';

/** Returns an error for an experiment with imported runs, because their models are unknown. */
export function refuseImported({ name, origin }: { name: string; origin: ExperimentOrigin }): Result<never> | null {
  if (origin !== 'imported') return null;
  return fail(
    'conflict',
    `${JSON.stringify(name)} contains imported runs and has no models. Duplicate the experiment, choose a model, and run the duplicate.`,
  );
}

/**
 * Limits of the resumed run: new values (omitted ones stay, null is no limit), or `experiment` for those of the experiment's newest
 * settings. Default: `experiment` if one of the run's limits ended it, otherwise its current limits.
 */
export const resumeInputSchema = z.strictObject({
  budget: z
    .union([z.literal('experiment'), runLimitsSchema.partial()], {
      error:
        'must be "experiment" or an object with any of maxCalls, maxTokens, maxCostUsd or maxSeconds. A tuning run also takes maxIterations and maxTries',
    })
    .optional(),
});

/**
 * Resumes a run from its last state. Saved responses are reused. The run must have failed, been stopped, or ended at its token, cost, call
 * or time budget, or wait for a rate limit. A tuning run may also have ended after its last proposal or try. Returns an error if the new
 * limits are already used up.
 */
export async function resumeRun(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown = {},
): Promise<Result<{ status: 'queued' }>> {
  const parsed = parseInput(resumeInputSchema, input);
  if (!parsed.ok) return parsed;
  const experiment = await experimentOfRun(context, runId);
  const refusal = experiment === null ? null : refuseImported(experiment);
  if (refusal !== null) return refusal;
  const waited = await resumeRateLimited(context, actor, { id: runId, name: experiment?.name ?? '' }, parsed.value);
  if (!waited.ok) return waited;
  if (waited.value) return succeed({ status: 'queued' });
  const result = await updateRun(
    context,
    runId,
    (stored) => resumed(stored, parsed.value, experiment?.settings ?? null, { actor, at: context.now().toISOString() }),
    {
      actor,
      of: ({ run, experimentName }, { ownBudget }) => ({
        act: 'resumed',
        subject: { kind: 'run', id: run.id, name: experimentName },
        ...(ownBudget !== undefined && { change: { budget: budgetText(ownBudget) } }),
      }),
    },
  );
  return result.ok ? succeed({ status: 'queued' }) : result;
}

/** Ends the wait of a run for a rate limit. Returns false if it waits for none. */
function resumeRateLimited(
  context: AppContext,
  actor: Actor,
  run: { id: string; name: string },
  { budget }: z.infer<typeof resumeInputSchema>,
): Promise<Result<boolean>> {
  return tryInTransaction(context.database, async (transaction) => {
    if (!(await endRateLimitWait(context, transaction, run.id))) return succeed(false);
    if (budget !== undefined)
      return fail(
        'conflict',
        'A run that waits for a rate limit keeps its budget. Resume it without "budget", or stop it first.',
        'budget',
      );
    await recordChange(transaction, actor, { act: 'resumed', subject: { kind: 'run', ...run } });
    return succeed(true);
  });
}

/** Returns the change that resumes a run, or the reason it cannot be resumed. `newest`: the newest settings of its experiment. */
function resumed(
  { run, history, settings }: StoredRun,
  input: z.infer<typeof resumeInputSchema>,
  newest: ExperimentSettings | null,
  { actor, at }: { actor: Actor; at: string },
): Result<RunChange> {
  const ended = run.convergenceReason;
  const isTuning = settings.mode === 'tune';
  const ownLimits = runLimitReasons(settings.mode);
  const isAtLimit = ended !== null && ownLimits.includes(ended);
  if (run.status !== 'failed' && run.status !== 'stopped' && !isAtLimit) return notResumable(run, isTuning);
  const before = runLimitsOf(settings);
  const wanted = input.budget ?? (isAtLimit ? 'experiment' : {});
  const budget = { ...before, ...(wanted === 'experiment' ? limitsOf(newest, isTuning) : wanted) };
  const notTuned = isTuning ? null : tuningFieldOf(budget);
  if (notTuned !== null) return fail('invalid', `${notTuned} applies to tuning runs only.`, `budget.${notTuned}`);
  const isChanged = JSON.stringify(budget) !== JSON.stringify(before);
  const lack = findMissingInputOfRun(history, settings, run);
  if (lack !== null) return fail('conflict', `${lack.message} ${lack.remedy}`);
  const reason = isChanged ? `Budget for this run: ${budgetText(budget)}.` : null;
  const decision = resumeDecision(history, { actor: actor.name, reason, at });
  const next = {
    ...history,
    // The next step makes new calls.
    step: history.step + (isWithoutFirstPrompt(history) ? 1 : 0),
    failure: null,
    decisions: [...history.decisions, decision],
  };
  // A run that failed at its last proposal still has to compute its held-out scores.
  const isAtBudget = !isAtLimit || RUN_BUDGET_REASONS.includes(ended);
  const limited = withLimits(settings, budget);
  const used = findUsedUpLimit(next, limited, isAtBudget ? RUN_BUDGET_REASONS : ownLimits);
  // With a higher budget, a run may also complete the tests that its used up proposals still lack.
  const isUntested = isChanged && nextStep(next, limited, new Date(at)).type === 'try';
  if (used !== null && !isUntested) return used;
  const results = [{ type: 'decision' as const, decision }];
  return succeed({ history: next, results, verdict: true, ...(isChanged && { ownBudget: budget }) });
}

function notResumable({ status, convergenceReason }: StoredRun['run'], isTuning: boolean): Result<never> {
  const limits = isTuning ? 'one of its limits' : 'its own budget';
  const ended = convergenceReason === null ? '' : ` (${convergenceReason})`;
  return fail(
    'conflict',
    `Only a run that failed, was stopped, or ended at ${limits} can be resumed. This run is ${status}${ended}.`,
  );
}

function resumeDecision({ versions, step }: History, made: Pick<Decision, 'actor' | 'reason' | 'at'>): Decision {
  const last = versions.at(-1);
  return {
    ...{ ...PLAIN_DECISION, ...made, hook: 'onReflection', decision: 'resume', by: 'person', step },
    version: last?.number ?? null,
    iteration: last?.iteration ?? 0,
  };
}

/** True if the reflection model wrote no usable first prompt. With the saved responses, the step would fail again. */
function isWithoutFirstPrompt({ versions, failure }: History): boolean {
  return versions.length === 0 && failure?.role === 'reflect' && failure.cause === 'malformed';
}

function tuningFieldOf({ maxIterations, maxTries }: RunLimits): 'maxIterations' | 'maxTries' | null {
  if (maxIterations !== undefined) return 'maxIterations';
  return maxTries === undefined ? null : 'maxTries';
}

/** Returns an error if these limits would end the run before its next call, otherwise null. */
function findUsedUpLimit(
  history: History,
  settings: ExperimentSettings,
  limits: readonly StopReason[],
): Result<never> | null {
  const reason = reasonsToEnd(history, settings).find((one) => limits.includes(one));
  if (reason === undefined) return null;
  const [field, used, limit] = limitUsage(reason, history, settings);
  const remedy = RUN_BUDGET_REASONS.includes(reason)
    ? "Resume it with a larger budget, or raise the budget in the experiment's settings."
    : "Continue it with a higher limit, or raise the limit in the experiment's settings.";
  return fail(
    'conflict',
    `The run has used ${used} of ${limit}, and its next call would exceed that. ${remedy}`,
    `budget.${field}`,
  );
}

/** Returns the field of the limit behind a stop reason, what the run has used of it, and the limit. */
function limitUsage(
  reason: StopReason,
  history: History,
  { budget, maxIterations, tune }: ExperimentSettings,
): [field: keyof RunLimits, used: string, limit: string] {
  switch (reason) {
    case 'max_iterations':
      return ['maxIterations', formatNumberOf(iterationsUsed(history), 'proposal'), formatCount(maxIterations)];
    case 'try_limit':
      return [
        'maxTries',
        formatNumberOf(limitedTries(history).length, 'try', 'tries'),
        formatCount(tune.maxTries ?? 0),
      ];
    case 'call_budget':
      return ['maxCalls', formatNumberOf(history.calls, 'call'), formatCount(budget.maxCalls ?? 0)];
    case 'token_budget': {
      const { total } = spendOfRun(history).tokenUsage;
      return ['maxTokens', formatNumberOf(total, 'token'), formatCount(budget.maxTokens ?? 0)];
    }
    case 'cost_budget': {
      const knownCostUsd = spendsOf(history).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
      return ['maxCostUsd', formatCost(knownCostUsd, false), formatMoney(budget.maxCostUsd ?? 0)];
    }
    default:
      return ['maxSeconds', formatDuration(history.activeMs), formatDuration((budget.maxSeconds ?? 0) * 1000)];
  }
}

function budgetText({ maxCalls, maxTokens, maxCostUsd, maxSeconds, maxIterations, maxTries }: RunLimits): string {
  return (
    joinParts(
      maxIterations !== undefined && formatNumberOf(maxIterations, 'proposal'),
      maxTries != null && formatNumberOf(maxTries, 'try', 'tries'),
      maxCalls !== null && formatNumberOf(maxCalls, 'call'),
      maxTokens !== null && formatNumberOf(maxTokens, 'token'),
      maxCostUsd !== null && formatMoney(maxCostUsd),
      maxSeconds !== null && formatDuration(maxSeconds * 1000),
    ) || 'none'
  );
}

/** Returns the experiment of a run. Null if there is no such run. */
async function experimentOfRun({ database }: AppContext, runId: string): Promise<ExperimentView | null> {
  const run = await database.prisma.run.findUnique({ where: { id: runId }, select: { experimentId: true } });
  return run === null ? null : findExperiment(database, run.experimentId);
}

/** Returns the run limits set by an experiment. Those of proposals and tries apply only if both tune a prompt. */
function limitsOf(newest: ExperimentSettings | null, isTuning: boolean): Partial<RunLimits> {
  if (newest === null) return {};
  const { maxIterations, maxTries, ...budget } = runLimitsOf(newest);
  return isTuning && newest.mode === 'tune' ? { ...budget, maxIterations, maxTries } : budget;
}
