import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { caseWeight } from '#lib/core/tuning/case-weights.ts';
import { meanInterval, weightedInterval } from '#lib/statistics/intervals.ts';
import {
  evaluationKeysOf,
  findEvaluationScores,
  findVersionTexts,
  promptsWithEvaluations,
} from './evaluation-scores.ts';
import { findPromptCases } from './plan-evaluation.ts';
import { findRunScores } from './queries.ts';
import type { PromptSetup, VersionScore, VersionScores } from './schema.ts';

/** Prompt and the versions whose scores are requested. */
type RequestedScores = { name: string; setup: PromptSetup; versions: readonly number[] };

/**
 * Returns scores of prompt versions from saved results, by prompt name: playground evaluations with the current setup, or else the example
 * scores of the run that created the version. Calls no model.
 */
export async function scorePromptVersions(
  context: DatabaseContext,
  prompts: readonly RequestedScores[],
): Promise<Map<string, VersionScores>> {
  const scores = new Map<string, VersionScores>(prompts.map(({ name }) => [name, {}]));
  const keep = (name: string, number: number, score: VersionScore) =>
    scores.set(name, { ...scores.get(name), [number]: score });
  for (const { name, number, scores: ofRun } of await findRunScores(context.database, prompts)) {
    const weights = ofRun.map(({ weight }) => caseWeight(weight));
    const isWeighted = weights.some((weight) => weight !== weights[0]);
    const mean = weightedInterval(
      ofRun.map(({ score }) => score),
      isWeighted ? weights : null,
    );
    if (mean !== null) keep(name, number, { ...mean, source: 'run' });
  }
  const requested = await evaluationKeys(context, prompts);
  const stored = await findEvaluationScores(
    context.database,
    [...Map.groupBy(requested, ({ name }) => name)].map(([promptName, ofPrompt]) => ({
      promptName,
      keys: ofPrompt.flatMap(({ keys }) => keys),
    })),
  );
  for (const { name, number, keys } of requested) {
    const mean = meanInterval(keys.flatMap((key) => stored.get(name)?.get(key)?.score ?? []));
    if (mean !== null) keep(name, number, { ...mean, source: 'tried', of: keys.length });
  }
  return scores;
}

/**
 * Maximum number of evaluations looked up per prompt. The oldest versions beyond it get no score. Each lookup costs a hash of a text and a
 * case.
 */
const MAX_LOOKUPS = 60_000;

/** Returns the evaluation keys of versions, one per case that is not held out. Returns none for prompts that were never evaluated. */
async function evaluationKeys(
  { database }: DatabaseContext,
  prompts: readonly RequestedScores[],
): Promise<{ name: string; number: number; keys: string[] }[]> {
  const names = prompts.map(({ name }) => name);
  const evaluated = await promptsWithEvaluations(database, names);
  const casesOf = await casesOfDatasets(
    database,
    prompts.flatMap(({ name, setup }) => (evaluated.has(name) && setup.datasetId !== null ? [setup.datasetId] : [])),
  );
  const tried = prompts.flatMap(({ name, setup, versions }) => {
    const cases = casesOf.get(setup.datasetId ?? '');
    const model = setup.models[0];
    if (!evaluated.has(name) || cases === undefined || model === undefined) return [];
    const most = Math.max(1, Math.floor(MAX_LOOKUPS / Math.max(1, cases.length)));
    const newest = versions.toSorted((one, other) => other - one).slice(0, most);
    return [{ name, setup, model, cases, versions: newest }];
  });
  const ofPrompt = new Map(tried.map((one) => [one.name, one]));
  return (await findVersionTexts(database, tried)).flatMap(({ name, number, ...body }) => {
    const prompt = ofPrompt.get(name);
    if (prompt === undefined) return [];
    return [{ name, number, keys: prompt.cases.map(evaluationKeysOf(body, prompt.model, prompt.setup)) }];
  });
}

async function casesOfDatasets(database: AppContext['database'], ids: string[]): Promise<Map<string, TuningCase[]>> {
  const found = new Map<string, TuningCase[]>();
  for (const id of new Set(ids)) {
    const dataset = await findPromptCases(database, id);
    if (dataset !== null)
      found.set(
        id,
        dataset.cases.filter(({ split }) => split !== 'held_out'),
      );
  }
  return found;
}

/** Number of a prompt's newest versions that are searched for an evaluated one. */
const NEWEST = 5;

/** Returns the score of each prompt's newest evaluated version, by prompt name. */
export async function lastScores(
  context: DatabaseContext,
  prompts: readonly { name: string; setup: PromptSetup; latestVersion: number }[],
): Promise<Map<string, { version: number; score: VersionScore }>> {
  const found = new Map<string, { version: number; score: VersionScore }>();
  for (let back = 0; back < NEWEST; back++) {
    const open = prompts.filter(({ name, latestVersion }) => latestVersion > back && !found.has(name));
    const requested = open.map(({ name, setup, latestVersion }) => ({ name, setup, versions: [latestVersion - back] }));
    const scores = await scorePromptVersions(context, requested);
    for (const { name, latestVersion } of open) {
      const version = latestVersion - back;
      const score = scores.get(name)?.[version];
      if (score !== undefined) found.set(name, { version, score });
    }
  }
  return found;
}
