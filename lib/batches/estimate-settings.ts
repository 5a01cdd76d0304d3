import type { AppContext } from '#lib/context/app-context.ts';
import { callsOfEvaluation } from '#lib/core/calls-of-evaluation.ts';
import type { Case } from '#lib/core/case.ts';
import { type CaseCriteria, settingsForCase } from '#lib/core/case-criteria.ts';
import { namedModels } from '#lib/core/named-models.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import type { SplitCounts } from '#lib/estimates/calls-of-tuning.ts';
import { estimateRun } from '#lib/estimates/estimate-run.ts';
import type { RunEstimate } from '#lib/estimates/run-estimate.ts';
import { findPastCalls } from '#lib/experiments/past-calls.ts';
import { providerDirectory } from '#lib/models/provider-directory.ts';
import { priceOf } from '#lib/providers/price-of.ts';

/** The cases of a start, by what an estimate needs of them: how many, how long on average (characters), and one of them if there is one. */
export type EstimatedCases = {
  count: number;
  meanLength: number;
  sample: Case | undefined;
  repetitions: number;
  splits: SplitCounts | null;
  /** What cases bring of their own, each once. */
  criteria?: readonly CaseCriteria[];
};

/**
 * Estimates runs under some settings with today's prices and what past calls took. `experimentId`: whose own calls count first; null for
 * none. `atOnce`: runs that are performed side by side. Where cases have criteria of their own, all count as the one whose scoring takes
 * the most calls.
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
