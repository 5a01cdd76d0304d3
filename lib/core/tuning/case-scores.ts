import { cachedByObject } from '#lib/core/caches.ts';
import type { ExampleScore, History, Split } from '#lib/core/history.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { isSameCandidate } from './candidate-parameters.ts';

/** The part of a history that scores of versions on cases are computed from. */
export type TriedHistory = Pick<History, 'cases' | 'versions' | 'tries'>;

/** Returns the positions of the cases of a split, in order. */
export function positionsOf({ cases }: Pick<History, 'cases'>, split: Split): number[] {
  return positionsBySplit(cases)[split];
}

const positionsBySplit = cachedByObject((cases: History['cases']) => {
  const found: Record<Split, number[]> = { train: [], validation: [], held_out: [] };
  for (const one of cases) found[one.split].push(one.position);
  return found;
});

/** Returns the positions of the cases that candidates are validated on: the training cases if there are no validation cases. */
export function validationPositions(history: Pick<History, 'cases'>): number[] {
  const validation = positionsOf(history, 'validation');
  return validation.length > 0 ? validation : positionsOf(history, 'train');
}

/** Returns the example scores that count towards `tune.maxTries`. Those of held-out cases do not. */
export function limitedTries(history: Pick<History, 'cases' | 'tries'>): ExampleScore[] {
  const heldOut = new Set(positionsOf(history, 'held_out'));
  return history.tries.filter(({ position }) => !heldOut.has(position));
}

/** Returns the mean, rounded to 6 decimals. */
export function meanOf(scores: readonly number[]): number {
  return roundTo6(scores.reduce((sum, score) => sum + score, 0) / scores.length);
}

/** True if an example score leaves nothing to improve: it is satisfactory and scores 1. */
export function isPerfect(tried: ExampleScore | undefined): boolean {
  return tried?.satisfactory === true && roundTo6(tried.score ?? 0) >= 1;
}

type Tried = Pick<History, 'versions' | 'tries'>;

/**
 * Returns the result of a version on each case, by the case's position: the last example score of the version or of another one with
 * identical text. A scored one takes precedence over an unscored one. If the text was scored on a case several times, the score is the
 * mean.
 */
export function effectiveScores(history: Tried, versionNumber: number): ReadonlyMap<number, ExampleScore> {
  const known = knownScores(history.tries)(history.versions);
  const scores = known.get(versionNumber) ?? scoresByCase(scoresOfText(history, versionNumber));
  known.set(versionNumber, scores);
  return scores;
}

/** Cached, because a long run has thousands of example scores, and each step and page reads those of a version many times. */
const knownScores = cachedByObject((_tries: Tried['tries']) =>
  cachedByObject((_versions: Tried['versions']) => new Map<number, ReadonlyMap<number, ExampleScore>>()),
);

function scoresByCase(tries: readonly ExampleScore[]): Map<number, ExampleScore> {
  const found = new Map<number, ExampleScore>();
  for (const one of tries) {
    if (one.score === null && (found.get(one.position)?.score ?? null) !== null) continue;
    found.set(one.position, one);
  }
  for (const [position, scores] of repeatedScores(tries)) {
    const last = found.get(position);
    if (last === undefined || scores.length === 1) continue;
    found.set(position, { ...last, score: meanOf(scores) });
  }
  return found;
}

/** Returns the scores by the case's position, each list in chronological order. Unscored results are omitted. */
export function repeatedScores(tries: readonly ExampleScore[]): Map<number, number[]> {
  const scores = new Map<number, number[]>();
  for (const { position, score } of tries) {
    if (score === null) continue;
    const known = scores.get(position);
    if (known === undefined) scores.set(position, [score]);
    else known.push(score);
  }
  return scores;
}

/** Returns all example scores of a version's candidate (its text with its parameters), in the order they were saved within each version. */
export function scoresOfText(history: Tried, versionNumber: number): ExampleScore[] {
  const byVersion = triesByVersion(history.tries);
  const version = history.versions.find(({ number }) => number === versionNumber);
  if (version === undefined) return [];
  return history.versions.flatMap((one) =>
    isSameCandidate(history, version, one) ? (byVersion.get(one.number) ?? []) : [],
  );
}

/** Returns the example scores by version number, each list in the order they were saved. */
export const triesByVersion = cachedByObject(
  (tries: ExampleScore[]): ReadonlyMap<number, ExampleScore[]> => Map.groupBy(tries, ({ version }) => version),
);
