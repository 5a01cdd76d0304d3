import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case, CaseCriteria } from '#lib/core/case.ts';
import { settingsForCase } from '#lib/core/case-criteria.ts';
import { callsOfEvaluation } from '#lib/core/criterion.ts';
import { namedModels } from '#lib/core/named-models.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { caseInputSchema, casesSchema, readInput } from '#lib/datasets/case-input.ts';
import { datasetCriteria, datasetLengths, datasetTags, findDataset, runLengths } from '#lib/datasets/queries.ts';
import type { SplitCounts } from '#lib/estimates/calls-of-run.ts';
import { estimateRun, type RunEstimate } from '#lib/estimates/estimate-run.ts';
import { findExperiment, findPastCalls } from '#lib/experiments/queries.ts';
import { experimentInputSchema, readSettings } from '#lib/experiments/read-settings.ts';
import { MAX_TUNING_CASES, splitCases, splitProblem } from '#lib/experiments/split-cases.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { providerDirectory } from '#lib/models/resolve-provider.ts';
import { priceOf } from '#lib/providers/list-price.ts';
import { practiceLimit } from '#lib/providers/practice/practice-limit.ts';
import { MAX_REPETITIONS } from './start-batch.ts';

/** Properties of the cases needed for an estimate: their number, mean length in characters, and one of them if any. */
type EstimatedCases = {
  count: number;
  meanLength: number;
  sample: Case | undefined;
  repetitions: number;
  splits: SplitCounts | null;
  /** Distinct criteria defined by cases. */
  criteria?: readonly CaseCriteria[];
};

/**
 * Estimates runs under the given settings from current prices and the size of past calls. `experimentId`: its own calls take priority, null
 * for none. `atOnce`: number of concurrent runs. If cases define criteria, all count as the one that takes the most calls to score.
 */
export async function estimateSettings(
  context: AppContext,
  { settings: ofExperiment, experimentId }: { settings: ExperimentSettings; experimentId: string | null },
  { count, meanLength, sample, repetitions, splits, criteria = [] }: EstimatedCases,
  { atOnce }: { atOnce: number },
): Promise<RunEstimate> {
  const settings = costliest(ofExperiment, criteria);
  const models = namedModels(settings);
  const providers = [...new Set(models.map(({ provider }) => provider))];
  const { resolveProvider, limitsOf } = providerDirectory(context);
  const [past, configurations, limits] = await Promise.all([
    findPastCalls(context.database, experimentId, models),
    Promise.all(providers.map(async (name) => [name, await resolveProvider(name)] as const)),
    Promise.all(providers.map(async (name) => [name, await limitsOf(name)] as const)),
  ]);
  const configurationOf = new Map(configurations);
  return estimateRun({
    settings,
    cases: count,
    repetitions,
    sample: {
      ...(sample ?? { reference: null, tags: [], metadata: {} }),
      input: 'x'.repeat(Math.max(1, Math.round(meanLength))),
    },
    splits,
    past,
    priceOf: ({ provider, model }, tokens) => {
      const configuration = configurationOf.get(provider) ?? null;
      return configuration === null ? null : priceOf(configuration, model, { ...tokens, cached: 0 }, context.now());
    },
    atOnce,
    limits: new Map(limits),
    practice: isPractice(settings),
  });
}

function costliest(settings: ExperimentSettings, all: readonly CaseCriteria[]): ExperimentSettings {
  return all
    .map((criteria) => settingsForCase(settings, { criteria }))
    .reduce((most, one) => (callsOfEvaluation(one) > callsOfEvaluation(most) ? one : most), settings);
}

const startShape = {
  input: caseInputSchema.shape.input.optional(),
  inputLength: integerBetween(1, 200_000)
    .optional()
    .meta({ description: 'Characters of one input, in place of its text.' }),
  cases: casesSchema.optional(),
  datasetId: z.uuid({ error: 'must be the id of a dataset' }).optional(),
  repetitions: integerBetween(1, MAX_REPETITIONS).default(1).meta({ description: 'Runs of each case.' }),
};
const ONE_SOURCE = { error: 'Send at most one of input, inputLength, cases and datasetId.' };

/** Cases to run: at most one source. Without one, a single case with the mean length of the experiment's previous cases. */
export const estimateInputSchema = z.strictObject(startShape).refine(hasOneSource, ONE_SOURCE);

/** Same as `estimateInputSchema`, for settings that are not stored yet. */
export const draftEstimateSchema = z
  .strictObject({ ...startShape, experiment: experimentInputSchema })
  .refine(hasOneSource, ONE_SOURCE);

/** Assumed length of a case in characters if none is known. */
const USUAL_LENGTH = 400;

/** Maximum number of case criteria an estimate considers. */
const MAX_CASE_CRITERIA = 1_000;

type Start = z.infer<typeof estimateInputSchema>;

function textOfStart({ input }: Pick<Start, 'input'>): string | undefined {
  return input === undefined ? undefined : readInput(input).input;
}

/** Estimates the calls, tokens, cost and time of a start. Stores nothing and calls no model. */
export async function estimateStart(
  context: AppContext,
  experimentId: string,
  input: unknown,
  options: { atOnce: number },
): Promise<Result<RunEstimate>> {
  const parsed = parseInput(estimateInputSchema, input);
  if (!parsed.ok) return parsed;
  const experiment = await findExperiment(context.database, experimentId);
  if (experiment === null) return notStored('experiment', experimentId);
  return estimateCases(context, { settings: experiment.settings, experimentId }, parsed.value, options);
}

async function estimateCases(
  context: AppContext,
  of: { settings: ExperimentSettings; experimentId: string | null },
  start: Start,
  options: { atOnce: number },
): Promise<Result<RunEstimate>> {
  const cases = await casesOf(context, of.settings, start, of.experimentId);
  if (!cases.ok) return cases;
  const estimate = await estimateSettings(context, of, cases.value, options);
  return succeed(withPracticeLimit(estimate, of.settings, textOfStart(start) ?? cases.value.sample?.input));
}

/** Returns the estimate with a note if the practice model cannot handle the first text to run. */
function withPracticeLimit(estimate: RunEstimate, settings: ExperimentSettings, task: string | undefined): RunEstimate {
  const message = task === undefined ? null : practiceLimit(settings, task);
  return message === null
    ? estimate
    : { ...estimate, warnings: [{ field: 'generator.provider', message }, ...estimate.warnings] };
}

/** Estimates runs of an unsaved experiment. Its settings are validated and not stored. */
export async function estimateDraft(
  context: AppContext,
  input: unknown,
  options: { atOnce: number },
): Promise<Result<RunEstimate>> {
  const parsed = parseInput(draftEstimateSchema, input);
  if (!parsed.ok) return parsed;
  const { experiment, ...start } = parsed.value;
  const read = await readSettings(context, experiment, 'stored');
  if (!read.ok) return read;
  return estimateCases(context, { settings: read.value.settings, experimentId: null }, start, options);
}

async function casesOf(
  { database }: AppContext,
  settings: ExperimentSettings,
  start: Start,
  experimentId: string | null,
): Promise<Result<EstimatedCases>> {
  const { repetitions, datasetId, cases } = start;
  if (datasetId !== undefined) {
    const dataset = await findDataset(database, datasetId, 1);
    if (dataset === null) return notStored('dataset', datasetId, 'datasetId');
    const { count, meanLength } = await datasetLengths(database, datasetId);
    const tags = settings.mode === 'tune' ? await datasetTags(database, datasetId, MAX_TUNING_CASES + 1) : [];
    const criteria = await datasetCriteria(database, datasetId, MAX_CASE_CRITERIA);
    return withSplits(
      settings,
      { count, meanLength, sample: dataset.cases[0], repetitions, criteria },
      tags,
      'datasetId',
    );
  }
  if (cases !== undefined) {
    const tags = cases.map((one) => one.tags);
    const criteria = cases.flatMap((one) => one.criteria ?? []);
    const sample = { count: cases.length, meanLength: meanLengthOf(cases), sample: cases[0], repetitions, criteria };
    return withSplits(settings, sample, tags, 'cases');
  }
  if (settings.mode === 'tune')
    return fail('invalid', 'A prompt is tuned on several cases: name a dataset, or send cases.', 'datasetId');
  const lengths = experimentId === null ? null : await runLengths(database, experimentId);
  const usual = lengths !== null && lengths.count > 0 ? lengths.meanLength : USUAL_LENGTH;
  const meanLength = textOfStart(start)?.length ?? start.inputLength ?? usual;
  const sample =
    start.input === undefined ? undefined : { ...readInput(start.input), reference: null, tags: [], metadata: {} };
  return succeed({ count: 1, meanLength, sample, repetitions, splits: null });
}

function withSplits(
  settings: ExperimentSettings,
  cases: Omit<EstimatedCases, 'splits'>,
  tags: string[][],
  field: string,
): Result<EstimatedCases> {
  if (settings.mode !== 'tune') return succeed({ ...cases, splits: null });
  const split = splitCases(
    tags.map((caseTags): Case => ({ input: '', reference: null, tags: caseTags, metadata: {} })),
    settings.tune,
  );
  const problem = splitProblem(split, settings.tune);
  if (problem !== null) return fail('invalid', problem, field);
  const splits: SplitCounts = { train: 0, validation: 0, held_out: 0 };
  for (const one of split) splits[one.split]++;
  return succeed({ ...cases, splits });
}

function meanLengthOf(cases: readonly { input: string }[]): number {
  return cases.reduce((sum, { input }) => sum + input.length, 0) / Math.max(1, cases.length);
}

type Sources = { input?: unknown; inputLength?: unknown; cases?: unknown; datasetId?: unknown };

function hasOneSource({ input, inputLength, cases, datasetId }: Sources): boolean {
  return [input, inputLength, cases, datasetId].filter((value) => value !== undefined).length <= 1;
}
