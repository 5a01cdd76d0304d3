import { roundTo6, seededNumber } from '#lib/core/text-values.ts';
import { bestVersion } from '../best-version.ts';
import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { startingPoints } from './candidate-state.ts';
import { effectiveScores, validationPositions } from './cases-of.ts';

/** A candidate that is in the drawing, and on how many validation cases nobody scores higher. */
export type Leader = { number: number; leads: number };

/**
 * The number of the candidate that the proposal of a round starts from; null while there is none. `best`: the highest mean, the later
 * one of equals. `pareto`: drawn among those that are not dominated, weighted by the cases they lead. Pure: the same seed, round and
 * history draw the same. Source: GEPA (Agrawal et al. 2025), Pareto-based candidate selection.
 */
export function selectCandidate(
  history: History,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  round: number,
): number | null {
  const leaders = tune.selection === 'pareto' ? paretoLeaders(history) : [];
  const weights = leaders.reduce((sum, { leads }) => sum + leads, 0);
  let lot = seededNumber('select', String(tune.seed), String(round)) * weights;
  for (const { number, leads } of leaders) {
    lot -= leads;
    if (lot < 0) return number;
  }
  return leaders.at(-1)?.number ?? bestVersion(history, 'highest_score');
}

/**
 * The candidates that lead on at least one validation case and that no other dominates (as good on every case, better on one), in the
 * order they were made. Candidates that were not tried on every validation case are not among them.
 */
export function paretoLeaders(history: History): Leader[] {
  const positions = validationPositions(history);
  const scored = startingPoints(history).flatMap(({ number }) => {
    const tries = effectiveScores(history, number);
    const scores = positions.flatMap((position) => tries.get(position)?.score ?? []);
    return scores.length === positions.length ? [{ number, scores: scores.map(roundTo6) }] : [];
  });
  const tops = positions.map((_position, place) => Math.max(...scored.map(({ scores }) => scores[place] ?? 0)));
  return scored.flatMap(({ number, scores }) => {
    const leads = scores.filter((score, place) => score === tops[place]).length;
    const isDominated = scored.some((other) => dominates(other.scores, scores));
    return leads === 0 || isDominated ? [] : [{ number, leads }];
  });
}

/** Whether one is at least as good in every place and better in one. */
export function dominates(one: readonly number[], other: readonly number[]): boolean {
  const differences = one.map((score, place) => score - (other[place] ?? 0));
  return differences.every((difference) => difference >= 0) && differences.some((difference) => difference > 0);
}
