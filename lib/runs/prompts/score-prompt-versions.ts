import { findProofScores, findRunScores, findVersionTexts, promptsWithProofs } from '#lib/db/proof-scores.ts';
import { meanInterval } from '#lib/measures/mean-interval.ts';
import type { VersionScore, VersionScores } from '#lib/measures/version-score.ts';
import type { PromptSetup } from '#lib/reflection/prompt-library.ts';
import type { Workshop } from '../workshop.ts';
import { findPromptCases, type PromptCases } from './find-prompt-cases.ts';
import { proofKey } from './proof-key.ts';

/** A prompt and the numbers of the versions whose scores are asked for. */
export type AskedScores = { name: string; setup: PromptSetup; versions: readonly number[] };

/**
 * How versions of prompts do, by what is kept: proofs of the playground under the present setup, else the tries of the run that made a
 * version. Nothing is called. By the prompt's name.
 */
export async function scorePromptVersions(
  workshop: Pick<Workshop, 'database'>,
  prompts: readonly AskedScores[],
): Promise<Map<string, VersionScores>> {
  const { database } = workshop;
  const names = prompts.map(({ name }) => name);
  const withProofs = await promptsWithProofs(database, names);
  const datasets = new Map<string, PromptCases | null>();
  const scores = new Map<string, VersionScores>();
  for (const prompt of prompts) {
    const { datasetId } = prompt.setup;
    const isTried = datasetId !== null && withProofs.has(prompt.name);
    if (isTried && !datasets.has(datasetId)) datasets.set(datasetId, await findPromptCases(database, datasetId));
    const cases = isTried ? (datasets.get(datasetId) ?? null) : null;
    scores.set(prompt.name, { ...(await byRuns(workshop, prompt)), ...(await byProofs(workshop, prompt, cases)) });
  }
  return scores;
}

async function byRuns({ database }: Pick<Workshop, 'database'>, prompt: AskedScores): Promise<VersionScores> {
  const found = await findRunScores(database, prompt.name, prompt.versions);
  return Object.fromEntries(
    [...found].flatMap(([number, scores]): [number, VersionScore][] => {
      const mean = meanInterval(scores);
      return mean === null ? [] : [[number, { ...mean, source: 'run' }]];
    }),
  );
}

/** Proofs that are looked up for one prompt: beyond it the oldest versions go without. Each costs a hash of a text and a case. */
const MOST_LOOKED_UP = 60_000;

async function byProofs(
  { database }: Pick<Workshop, 'database'>,
  { name, setup, versions }: AskedScores,
  found: PromptCases | null,
): Promise<VersionScores> {
  const model = setup.models[0];
  if (found === null || model === undefined) return {};
  const cases = found.cases.filter(({ split }) => split !== 'held_out');
  const most = Math.max(1, Math.floor(MOST_LOOKED_UP / Math.max(1, cases.length)));
  const newest = versions.toSorted((one, other) => other - one).slice(0, most);
  const texts = await findVersionTexts(database, name, newest);
  const keys = new Map(
    [...texts].map(([number, text]) => [number, cases.map((task) => proofKey(text, task, model, setup))]),
  );
  const kept = await findProofScores(database, name, [...keys.values()].flat());
  return Object.fromEntries(
    [...keys].flatMap(([number, ofVersion]): [number, VersionScore][] => {
      const mean = meanInterval(ofVersion.flatMap((key) => kept.get(key)?.score ?? []));
      return mean === null ? [] : [[number, { ...mean, source: 'tried', of: cases.length }]];
    }),
  );
}

/** How many of a prompt's newest versions are looked at for one that was tried. */
const NEWEST = 5;

/** The score of the newest version of each prompt that was tried, by the prompt's name. */
export async function lastScores(
  workshop: Pick<Workshop, 'database'>,
  prompts: readonly { name: string; setup: PromptSetup; latestVersion: number }[],
): Promise<Map<string, { version: number; score: VersionScore }>> {
  const found = new Map<string, { version: number; score: VersionScore }>();
  for (let back = 0; back < NEWEST; back++) {
    const open = prompts.filter(({ name, latestVersion }) => latestVersion > back && !found.has(name));
    const asked = open.map(({ name, setup, latestVersion }) => ({ name, setup, versions: [latestVersion - back] }));
    const scores = await scorePromptVersions(workshop, asked);
    for (const { name, latestVersion } of open) {
      const version = latestVersion - back;
      const score = scores.get(name)?.[version];
      if (score !== undefined) found.set(name, { version, score });
    }
  }
  return found;
}
