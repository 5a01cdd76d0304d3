import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { CallRole } from '#lib/core/model-request.ts';
import { type ModelRole, modelFor } from '#lib/core/model-roles.ts';
import { callSettings, type ExperimentSettings, type ModelReference } from '#lib/core/settings.ts';
import { tQuantile, Z_95 } from '#lib/core/student-t.ts';
import { modelId } from '#lib/core/targets/target-model.ts';
import { TRIES_AT_A_TIME } from '#lib/core/tuning/perform-tries.ts';
import { assumedCall, type CallSize, type Range, rangeSchema } from './assumed-call.ts';
import { type CallRange, callsByRole, type SplitCounts, sumOfCalls, turnsByModel } from './calls-of-run.ts';
import { settingsWarningSchema, settingsWarnings } from './settings-contradictions.ts';

/** Source of an estimate of a role's calls: calls of the experiment, other calls of the model, or text lengths. */
const ESTIMATE_BASES = ['experiment', 'model', 'text'] as const;
export type EstimateBasis = (typeof ESTIMATE_BASES)[number];

const ESTIMATED_BUDGETS = ['calls', 'tokens', 'cost', 'time'] as const;

/** Estimated use of runs before they start. */
export const runEstimateSchema = z.object({
  runs: z.int().min(0),
  cases: z.int().min(0),
  calls: rangeSchema.meta({
    description: 'Model calls. Lowest: every first version passes. Highest: every run reaches its cap.',
  }),
  tokens: rangeSchema.meta({ description: 'Input and output.' }),
  costUsd: rangeSchema.meta({ description: 'Of the calls whose model has a price.' }),
  unpricedModels: z.array(z.string()).meta({ description: 'Models without a known price, as provider/model.' }),
  timeMs: rangeSchema.meta({
    description: 'From start to end, if nothing else is running. Does not include time spent waiting for people.',
  }),
  roles: z
    .array(
      z.object({
        role: z.string(),
        model: z.string().meta({ description: 'provider/model' }),
        calls: rangeSchema,
        basis: z
          .enum(ESTIMATE_BASES)
          .meta({ description: 'Past calls of the experiment, of the model anywhere, or the lengths of texts.' }),
        n: z.int().min(0).meta({ description: 'Number of past calls in the estimate.' }),
      }),
    )
    .meta({ description: 'What the estimate of each role is based on.' }),
  budgets: z
    .array(
      z.object({
        budget: z.enum(ESTIMATED_BUDGETS),
        limit: z.number().meta({ description: 'Of one run: calls, tokens, US dollars or seconds.' }),
        cuts: z.enum(['none', 'some', 'all']).meta({
          description:
            'Whether the budget would end runs early: some runs, or all if even the shortest would exceed it.',
        }),
        blind: z
          .boolean()
          .meta({ description: 'True for a cost budget that ignores some calls, because their model has no price.' }),
      }),
    )
    .meta({ description: 'The budgets of a run that are set.' }),
  warnings: z
    .array(settingsWarningSchema)
    .default([])
    .meta({ description: 'Settings that prevent each other from having an effect. Runs can still start.' }),
  practice: z.boolean().meta({ description: 'At least one role uses the practice model, whose prices are made up.' }),
});
export type RunEstimate = z.infer<typeof runEstimateSchema>;

/** Estimated use of one run, before its budgets apply. */
type PerRun = { calls: Range; tokens: Range; costUsd: Range; timeMs: Range };

/** Share of a run's estimated use that fits its budgets, 0 to 1. A run stops at the first budget it reaches. */
type BudgetCut = { shares: Range; budgets: RunEstimate['budgets'] };

/** Compares the estimated use of a run with its budgets. `isUnpriced`: some calls have no price, so a cost budget does not count them. */
function cutByBudgets(budget: ExperimentSettings['budget'], perRun: PerRun, isUnpriced: boolean): BudgetCut {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = budget;
  const set = [
    { budget: 'calls' as const, limit: maxCalls, range: perRun.calls, blind: false },
    { budget: 'tokens' as const, limit: maxTokens, range: perRun.tokens, blind: false },
    { budget: 'cost' as const, limit: maxCostUsd, range: perRun.costUsd, blind: isUnpriced },
    { budget: 'time' as const, limit: maxSeconds, range: seconds(perRun.timeMs), blind: false },
  ].flatMap(({ limit, ...rest }) => (limit === null ? [] : [{ ...rest, limit }]));
  return {
    shares: {
      lowest: Math.min(1, ...set.map(({ limit, range }) => shareOf(limit, range.lowest))),
      highest: Math.min(1, ...set.map(({ limit, range }) => shareOf(limit, range.highest))),
    },
    budgets: set.map(({ budget: name, limit, range, blind }) => ({
      budget: name,
      limit,
      cuts: range.lowest > limit ? 'all' : range.highest > limit ? 'some' : 'none',
      blind,
    })),
  };
}

function shareOf(limit: number, amount: number): number {
  return amount > limit ? limit / amount : 1;
}

function seconds({ lowest, highest }: Range): Range {
  return { lowest: lowest / 1000, highest: highest / 1000 };
}

/** Mean, sample standard deviation and minimum of past calls. The deviation of a single call is null. */
type Spread = { mean: number; deviation: number | null; least: number };

/** Statistics of past calls of a role by a model. */
export type PastCalls = {
  role: CallRole;
  model: ModelReference;
  basis: Exclude<EstimateBasis, 'text'>;
  n: number;
  /** Mean number of requests per planned call, at least 1. Revisions that cannot be applied and failed requests are repeated. */
  requests: number;
  input: Spread;
  output: Spread;
  latencyMs: Spread;
};

export type EstimateInput = {
  settings: ExperimentSettings;
  /** Number of cases, runs per case, and a case of typical length. */
  cases: number;
  repetitions: number;
  sample: Case;
  /** Cases per split of a tuning run. Null for other runs. */
  splits: SplitCounts | null;
  /** At most one entry per role and model. */
  past: readonly PastCalls[];
  /** Returns the price of one call in US dollars. Null if no price is known. */
  priceOf: (model: ModelReference, tokens: { input: number; output: number }) => number | null;
  /** Number of concurrent runs, at least 1, and the rate limits of providers. */
  atOnce: number;
  limits: ReadonlyMap<string, { maxConcurrency: number | null; maxRequestsPerMinute: number | null }>;
  practice: boolean;
};

/** Minimum degrees of freedom. With one, the range would be too wide to be of use. */
const MIN_DEGREES = 2;
/** Assumed relative deviation of a single past call from the mean. */
const DEVIATION_OF_ONE = 0.5;

/**
 * Estimates the use of starting an experiment over some cases. Call sizes come from past calls of the role: the 95 % prediction interval of
 * the mean of the expected number of calls. Without past calls, text lengths are used. Lowest: every first version is good enough. Highest:
 * every run reaches its cap or a budget. Time spent waiting for people is not included.
 */
export function estimateRun(input: EstimateInput): RunEstimate {
  const { settings, cases, repetitions, practice } = input;
  const runs = settings.mode === 'tune' ? 1 : cases * repetitions;
  const roles = [...callsByRole(settings, input.splits)].flatMap(([role, calls]) => {
    return modelsOfRole(input, role, calls).map((one) => estimateRole(input, role, one, runs));
  });
  const calls = sumOfCalls(roles.map((role) => role.calls));
  const perRun = {
    calls,
    tokens: sumOfCalls(roles.map(({ tokens }) => tokens)),
    costUsd: sumOfCalls(roles.flatMap(({ costUsd }) => costUsd ?? [])),
    timeMs: sumOfCalls(roles.map(({ timeMs }) => timeMs)),
  };
  const unpricedModels = [
    ...new Set(roles.flatMap(({ model, costUsd }) => (costUsd === null ? [modelId(model)] : []))),
  ];
  const { shares, budgets } = cutByBudgets(settings.budget, perRun, unpricedModels.length > 0);
  // A slow run may reach its budget with fewer calls than a fast run makes in total.
  const left = (
    { lowest, highest }: Range,
    times: number,
    round: (value: number) => number = (value) => value,
  ): Range => {
    const least = round(times * lowest * shares.lowest);
    return { lowest: least, highest: Math.max(least, round(times * highest * shares.highest)) };
  };
  return {
    runs,
    cases,
    calls: left(calls, runs, Math.ceil),
    tokens: left(perRun.tokens, runs, Math.round),
    costUsd: left(perRun.costUsd, runs),
    unpricedModels,
    timeMs: left(wallTime(input, roles, perRun.timeMs, runs), 1, Math.round),
    roles: roles.map(({ role, model, calls: each, basis, n }) => ({
      role,
      model: modelId(model),
      calls: { lowest: runs * each.lowest, highest: Math.ceil(runs * each.highest) },
      basis,
      n,
    })),
    budgets,
    warnings: settingsWarnings(settings),
    practice,
  };
}

type RoleEstimate = {
  role: CallRole;
  model: ModelReference;
  basis: EstimateBasis;
  n: number;
  /** Totals of one run. */
  calls: CallRange;
  tokens: Range;
  costUsd: Range | null;
  timeMs: Range;
};

function estimateRole(
  input: EstimateInput,
  role: CallRole,
  { model, calls: planned }: ModelCalls,
  runs: number,
): RoleEstimate {
  const { settings, priceOf, sample } = input;
  const past = input.past.find(
    (one) => one.role === role && one.model.provider === model.provider && one.model.model === model.model,
  );
  const calls = { lowest: planned.lowest, highest: planned.highest * (past?.requests ?? 1) };
  const usual =
    past === undefined ? assumedCall(settings, role, sample) : sizeOf(past, runs * calls.lowest, runs * calls.highest);
  const size = { ...usual, output: cappedAt(usual.output, outputLimitOf(settings, role)) };
  const lowestUsd = priceOf(model, { input: size.input.lowest, output: size.output.lowest });
  const highestUsd = priceOf(model, { input: size.input.highest, output: size.output.highest });
  const times = (one: Range): Range => ({
    lowest: calls.lowest * one.lowest,
    highest: calls.highest * one.highest,
  });
  const parallel = parallelCalls(settings, role);
  const inTurn = (count: number) => Math.max(1, Math.min(parallel, count));
  const timeMs = times(size.latencyMs);
  return {
    role,
    model,
    basis: past?.basis ?? 'text',
    n: past?.n ?? 0,
    calls,
    tokens: times(sumOfCalls([size.input, size.output])),
    costUsd: lowestUsd === null || highestUsd === null ? null : times({ lowest: lowestUsd, highest: highestUsd }),
    timeMs: { lowest: timeMs.lowest / inTurn(calls.lowest), highest: timeMs.highest / inTurn(calls.highest) },
  };
}

type ModelCalls = { model: ModelReference; calls: CallRange };

/** Returns the models that make a role's calls. */
function modelsOfRole(input: EstimateInput, role: CallRole, calls: CallRange): ModelCalls[] {
  const { settings } = input;
  if (role === 'turn') return turnsByModel(settings, calls);
  const ofRole = { model: modelOfRole(settings, role), calls };
  const { models } = settings.tune.parameters;
  if (role !== 'try' || settings.mode !== 'tune' || models.length === 0) return [ofRole];
  // All example scores above the lowest estimate may use another model. Assume the most expensive one.
  const dearest = [ofRole.model, ...models].reduce((most, model) =>
    costOfTry(input, model) > costOfTry(input, most) ? model : most,
  );
  if (dearest === ofRole.model) return [ofRole];
  return [
    { model: ofRole.model, calls: { lowest: calls.lowest, highest: calls.lowest } },
    { model: dearest, calls: { lowest: 0, highest: calls.highest - calls.lowest } },
  ];
}

/** Infinity if there is no price, so that the estimate reports the missing price. */
function costOfTry({ settings, priceOf, sample }: EstimateInput, model: ModelReference): number {
  const { input, output } = assumedCall(settings, 'try', sample);
  return priceOf(model, { input: input.highest, output: output.highest }) ?? Number.POSITIVE_INFINITY;
}

/** Returns the maximum number of concurrent calls of a role in a run. */
function parallelCalls({ mode, tune }: ExperimentSettings, role: CallRole): number {
  if (role === 'try' || role === 'judge') return TRIES_AT_A_TIME;
  return mode === 'tune' && role === 'reflect' ? tune.proposalsAtOnce : 1;
}

/** Returns the maximum output tokens of a role's calls, or null if unlimited. */
function outputLimitOf(settings: ExperimentSettings, role: CallRole): number | null {
  const setting = SETTINGS_OF[role];
  return setting === null ? null : callSettings(settings, setting).maxOutputTokens;
}

/** The role whose settings apply to a call. Null if none apply. */
const SETTINGS_OF: Record<CallRole, ModelRole | null> = {
  generate: 'generate',
  turn: 'generate',
  try: 'generate',
  evaluate: 'evaluate',
  judge: 'evaluate',
  reflect: 'reflect',
  revise: 'revise',
  lesson: 'lesson',
  lesson_check: null,
  embed: null,
};

function cappedAt({ lowest, highest }: Range, limit: number | null): Range {
  return limit === null ? { lowest, highest } : { lowest: Math.min(lowest, limit), highest: Math.min(highest, limit) };
}

/** Predicts the mean size of calls like the past ones, for a lowest and a highest number of calls. */
function sizeOf(past: PastCalls, fewest: number, most: number): CallSize {
  const degrees = Math.max(MIN_DEGREES, past.n - 1);
  const rangeOf = ({ mean, deviation, least }: Spread): Range => {
    const one = deviation === null ? Z_95 * DEVIATION_OF_ONE * mean : deviation * tQuantile(degrees);
    const margin = (calls: number) => one * Math.sqrt(1 / past.n + 1 / Math.max(1, calls));
    // The mean of few future calls can be below the minimum of few past ones, but hardly below half of it.
    return { lowest: Math.max(least / 2, mean - margin(fewest)), highest: mean + margin(most) };
  };
  return { input: rangeOf(past.input), output: rangeOf(past.output), latencyMs: rangeOf(past.latencyMs) };
}

/** Returns the time from the start of the first run to the end of the last, with the concurrency that workers and providers allow. */
function wallTime(input: EstimateInput, roles: RoleEstimate[], perRunMs: Range, runs: number): Range {
  const waves = Math.max(1, runs / input.atOnce);
  const floors = [...input.limits].flatMap(([provider, { maxConcurrency, maxRequestsPerMinute }]) => {
    const ofProvider = roles.filter(({ model }) => model.provider === provider);
    const work = sumOfCalls(ofProvider.map(({ timeMs }) => timeMs));
    const calls = sumOfCalls(ofProvider.map((role) => role.calls));
    return [
      ...(maxConcurrency === null ? [] : [scaled(work, runs / maxConcurrency)]),
      ...(maxRequestsPerMinute === null ? [] : [scaled(calls, (runs * 60_000) / maxRequestsPerMinute)]),
    ];
  });
  const ranges = [scaled(perRunMs, waves), ...floors];
  return {
    lowest: Math.max(...ranges.map(({ lowest }) => lowest)),
    highest: Math.max(...ranges.map(({ highest }) => highest)),
  };
}

function modelOfRole(settings: ExperimentSettings, role: CallRole): ModelReference {
  switch (role) {
    case 'try':
    case 'turn':
      return modelFor(settings, 'generate');
    case 'judge':
      return modelFor(settings, 'evaluate');
    case 'embed':
      return settings.embeddingModel ?? settings.lessons.embeddings ?? modelFor(settings, 'generate');
    case 'lesson_check':
      return settings.lessons.check ?? modelFor(settings, 'lesson');
    case 'generate':
    case 'evaluate':
    case 'reflect':
    case 'revise':
    case 'lesson':
      return modelFor(settings, role);
  }
}

function scaled({ lowest, highest }: Range, by: number): Range {
  return { lowest: lowest * by, highest: highest * by };
}
