import type { History, Version } from './history.ts';
import { isCutOff } from './responses.ts';
import { type ScoredVersion, scoredVersions } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { roundTo6 } from './text-values.ts';
import { isSameParameters, parametersOf } from './tuning/candidate-parameters.ts';
import { hasExamples, isHeldBack, isRuledOut } from './tuning/candidate-state.ts';

export type BestVersionRule = ExperimentSettings['bestVersion'];

/**
 * Returns the number of the version that a rule selects among the fully scored ones for which `mayBe` is true, or null if there is none.
 * Ties go to the later version, unless it has more additions (worked examples, parameters) than the earlier one. A version that was cut off
 * only counts if no complete one scores as high. A prompt of a tuning run never counts if a guard rejected it, if it is shown to be worse
 * than its parent, or if it lost an anchor case. `weighted_recency` = 0.8 × score + 0.2 × position / last position. Source: Reflection
 * requirements 2.7.2.
 */
export function bestVersion(
  history: History,
  rule: BestVersionRule,
  mayBe: (version: Version) => boolean = () => true,
): number | null {
  const mayCount = ({ version }: ScoredVersion) =>
    !isHeldBack(version) && !isRuledOut(history, version) && mayBe(version);
  const scored = withoutTruncated(scoredVersions(history).filter(mayCount));
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

function withoutTruncated(scored: ScoredVersion[]): ScoredVersion[] {
  const whole = scored.filter(({ version }) => !isCutOff(version)).map(({ score }) => roundTo6(score));
  return scored.filter(({ version, score }) => !isCutOff(version) || whole.every((other) => other < roundTo6(score)));
}

function highest(
  history: History,
  scored: ScoredVersion[],
  value: (candidate: ScoredVersion) => number,
): number | null {
  let best: { version: Version; value: number } | null = null;
  for (const candidate of scored) {
    const { version } = candidate;
    const candidateValue = roundTo6(value(candidate));
    const isBest =
      best === null ||
      candidateValue > best.value ||
      (candidateValue === best.value && additionsOf(history, version) <= additionsOf(history, best.version));
    if (isBest) best = { version, value: candidateValue };
  }
  return best?.version.number ?? null;
}

/** Returns the number of additions of a prompt, 0 to 2: worked examples, and a model or temperature other than that of the settings. */
function additionsOf(history: History, version: Version): number {
  const hasParameters = !isSameParameters(parametersOf(history, version.number), {});
  return Number(hasExamples(history, version)) + Number(hasParameters);
}
