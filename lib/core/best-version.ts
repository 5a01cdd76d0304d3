import type { History, Version } from './history.ts';
import { isCutOff } from './responses.ts';
import { roundTo6 } from './round.ts';
import { type ScoredVersion, scoredVersions } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { isSameParameters, parametersOf } from './tuning/candidate-parameters.ts';
import { hasExamples, isByHand, isHeldBack, isRuledOut } from './tuning/candidate-state.ts';

export type BestVersionRule = ExperimentSettings['bestVersion'];

/**
 * Returns the number of the version that a rule selects among the fully scored ones for which `mayBe` is true, or null if there is none.
 * Ties go to the later version. In a tuning run, they go to the prompt with fewer additions (worked examples, parameters), then to the
 * earlier one, unless a person wrote the later one. A version that was cut off only counts if no complete one scores as high. A prompt of a
 * tuning run never counts if a guard rejected it, if it is shown to be worse than its parent, or if it lost an anchor case.
 * `weighted_recency` = 0.8 × score + 0.2 × position / last position. Source: Reflection requirements 2.7.2.
 */
export function bestVersion(history: History, rule: BestVersionRule): number | null {
  const scored = eligibleVersions(history);
  switch (rule) {
    case 'highest_score':
      return highest(history, scored, (candidate) => candidate.score);
    case 'latest':
      return scored.at(-1)?.version.number ?? null;
    case 'first_satisfactory':
      return (
        scored.find((candidate) => candidate.evaluation.satisfactory)?.version.number ??
        highest(history, scored, (candidate) => candidate.score)
      );
    case 'weighted_recency': {
      const lastPosition = scored.at(-1)?.version.number ?? 0;
      return highest(
        history,
        scored,
        (candidate) =>
          0.8 * candidate.score + (lastPosition === 0 ? 0.2 : (0.2 * candidate.version.number) / lastPosition),
      );
    }
  }
}

/**
 * Returns the number of the candidate with the highest score that the next prompts are based on, of those with a text for which `mayBe` is
 * true, or null if there is none. Ties go to the later one, unless it has more additions than the earlier one: it did better on its
 * training cases, so later prompts build on it although the run does not return it.
 */
export function bestParent(history: History, mayBe: (version: Version) => boolean = () => true): number | null {
  const scored = eligibleVersions(history, (version) => !version.outputDropped && mayBe(version));
  const winsTie = (later: Version, earlier: Version) => additionsOf(history, later) <= additionsOf(history, earlier);
  return highest(history, scored, ({ score }) => score, winsTie);
}

function eligibleVersions(history: History, mayBe: (version: Version) => boolean = () => true): ScoredVersion[] {
  return withoutTruncated(
    scoredVersions(history).filter(
      ({ version }) => !isHeldBack(version) && !isRuledOut(history, version) && mayBe(version),
    ),
  );
}

function withoutTruncated(scored: ScoredVersion[]): ScoredVersion[] {
  const whole = scored.filter(({ version }) => !isCutOff(version)).map(({ score }) => roundTo6(score));
  return scored.filter(({ version, score }) => !isCutOff(version) || whole.every((other) => other < roundTo6(score)));
}

function highest(
  history: History,
  scored: ScoredVersion[],
  value: (candidate: ScoredVersion) => number,
  winsTie = (later: Version, earlier: Version) => isReturnedAtTie(history, later, earlier),
): number | null {
  let best: { version: Version; value: number } | null = null;
  for (const candidate of scored) {
    const { version } = candidate;
    const candidateValue = roundTo6(value(candidate));
    const isBest =
      best === null || candidateValue > best.value || (candidateValue === best.value && winsTie(version, best.version));
    if (isBest) best = { version, value: candidateValue };
  }
  return best?.version.number ?? null;
}

/** True if the run returns the later one of two versions with equal scores. */
function isReturnedAtTie(history: History, later: Version, earlier: Version): boolean {
  if (history.cases.length === 0) return true;
  const more = additionsOf(history, later) - additionsOf(history, earlier);
  return more === 0 ? isByHand(later) : more < 0;
}

/** Returns the number of additions of a prompt, 0 to 2: worked examples, and a model or temperature other than that of the settings. */
function additionsOf(history: History, version: Version): number {
  const hasParameters = !isSameParameters(parametersOf(history, version.number), {});
  return Number(hasExamples(history, version)) + Number(hasParameters);
}
