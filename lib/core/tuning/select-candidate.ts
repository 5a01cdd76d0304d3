import { roundTo6 } from '#lib/core/round.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import { bestParent } from '../best-version.ts';
import type { History, Version } from '../history.ts';
import { scoredVersions } from '../scored-versions.ts';
import type { ExperimentSettings } from '../settings.ts';
import { startingPoints } from './candidate-state.ts';
import { effectiveScores, validationPositions } from './case-scores.ts';

/** A candidate in the draw, and the number of validation cases or criteria on which no other scores higher. */
type Leader = { number: number; leads: number };

type Selection = ExperimentSettings['tune']['selection'];

/**
 * Returns the number of the candidate that is the parent of a round's proposal, or null if there is none. `best`: the highest mean, see
 * `bestParent`. The others draw among those that are not dominated, weighted by the cases or criteria that they lead. Pure: the same seed,
 * round and history draw the same. Source: GEPA (Agrawal et al. 2025), Pareto-based candidate selection, and the frontier types `instance`
 * (`pareto`), `objective` (`pareto_criteria`) and `hybrid` of its package.
 */
export function selectCandidate(
  history: History,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  round: number,
): number | null {
  const leaders = tune.selection === 'best' ? [] : paretoLeaders(history, tune.selection);
  const weights = leaders.reduce((sum, { leads }) => sum + leads, 0);
  let lot = seededNumber('select', String(tune.seed), String(round)) * weights;
  for (const { number, leads } of leaders) {
    lot -= leads;
    if (lot < 0) return number;
  }
  return leaders.at(-1)?.number ?? bestParent(history);
}

/**
 * Returns the candidates that lead on at least one validation case, criterion or either, depending on the selection, and are not dominated
 * (by another that is as good on all of them and better on one), in order of creation. Excludes candidates that were not scored on every
 * validation case.
 */
export function paretoLeaders(history: History, selection: Exclude<Selection, 'best'>): Leader[] {
  const positions = validationPositions(history);
  const means = criterionMeans(
    history,
    startingPoints(history).map(({ number }) => number),
  );
  const scored = startingPoints(history).flatMap(({ number }) => {
    const tries = effectiveScores(history, number);
    const onCases = positions.flatMap((position) => tries.get(position)?.score ?? []);
    if (onCases.length < positions.length) return [];
    // A criterion that was not scored on every case never leads.
    const onCriteria = [...means.values()].map((byVersion) => byVersion.get(number) ?? -1);
    const scores = [
      ...(selection === 'pareto_criteria' ? [] : onCases.map(roundTo6)),
      ...(selection === 'pareto' ? [] : onCriteria),
    ];
    return [{ number, scores }];
  });
  const [first] = scored;
  const tops = (first?.scores ?? []).map((_score, index) =>
    Math.max(...scored.map(({ scores }) => scores[index] ?? 0)),
  );
  return scored.flatMap(({ number, scores }) => {
    const leads = scores.filter((score, index) => score >= 0 && score === tops[index]).length;
    const isDominated = scored.some((other) => dominates(other.scores, scores));
    return leads === 0 || isDominated ? [] : [{ number, leads }];
  });
}

/** Returns the means of each criterion over the validation cases, by version, for these versions as far as they have one. */
export function criterionMeans(history: History, numbers: readonly number[]): Map<string, Map<number, number>> {
  const means = new Map<string, Map<number, number>>();
  for (const { version, evaluation } of scoredVersions(history)) {
    if (!numbers.includes(version.number)) continue;
    for (const [criterion, mean] of Object.entries(evaluation.criteriaScores)) {
      if (mean === null) continue;
      const known = means.get(criterion) ?? new Map();
      means.set(criterion, known.set(version.number, roundTo6(mean)));
    }
  }
  return means;
}

/** Returns the candidate with the highest score that new prompts can be based on. */
export function bestStartingPoint(history: History): Version | undefined {
  const best = bestParent(history);
  return startingPoints(history).find(({ number }) => number === best);
}

/** True if one is at least as good at every position and better at one. */
export function dominates(one: readonly number[], other: readonly number[]): boolean {
  const differences = one.map((score, index) => score - (other[index] ?? 0));
  return differences.every((difference) => difference >= 0) && differences.some((difference) => difference > 0);
}
