import { signTest } from '#lib/core/sign-test.ts';
import { casesForMeans, casesForShares } from '#lib/statistics/cases-to-show.ts';
import { SIGNIFICANT } from '#lib/statistics/format-statistics.ts';
import { type MeanInterval, meanInterval } from '#lib/statistics/intervals.ts';
import { pairedLift } from '#lib/statistics/paired-lift.ts';
import type { PairedLift } from '#lib/statistics/paired-lift-schema.ts';

/** Score of a response to a case. A null score is never counted. */
export type ScoredAnswer = { score: number | null; satisfactory: boolean };
/** Results of two prompts on the same case. Null if a prompt was not evaluated on it. */
export type AnswerPair = { case: string; before: ScoredAnswer | null; after: ScoredAnswer | null };

/** Result of one of two prompts over the cases scored for both: number of satisfactory responses and mean score. */
export type AnswerSum = { right: number; scores: MeanInterval | null };

/**
 * Comparison of two prompts on the same `n` cases. If all scores are 0 or 1 (`isPassFail`), `p` is from McNemar's exact test and `lift` is
 * null. Otherwise `lift` is from the paired bootstrap and `p` is null. `casesToShow` is the approximate number of cases that detects a gain
 * of this size with 80% power, or null if there is no gain.
 */
export type AnswerComparison = {
  n: number;
  before: AnswerSum;
  after: AnswerSum;
  fixed: number;
  broken: number;
  isPassFail: boolean;
  p: number | null;
  lift: PairedLift | null;
  isNoise: boolean;
  casesToShow: number | null;
};

/** Compares prompts case by case. `seed` determines the bootstrap samples. */
export function compareAnswers(pairs: readonly AnswerPair[], seed: string): AnswerComparison {
  const scored = pairs.flatMap(({ case: name, before, after }) =>
    before === null || after === null || before.score === null || after.score === null
      ? []
      : [{ name, before: { ...before, score: before.score }, after: { ...after, score: after.score } }],
  );
  const fixed = scored.filter(({ before, after }) => !before.satisfactory && after.satisfactory).length;
  const broken = scored.filter(({ before, after }) => before.satisfactory && !after.satisfactory).length;
  const isPassFail = scored.every((pair) => isWhole(pair.before.score) && isWhole(pair.after.score));
  const p = isPassFail ? signTest(fixed, broken) : null;
  const lift = isPassFail
    ? null
    : pairedLift(
        scored.map(({ name, before, after }) => ({ case: name, without: before.score, with: after.score })),
        seed,
      );
  return {
    n: scored.length,
    before: sumOf(scored.map(({ before }) => before)),
    after: sumOf(scored.map(({ after }) => after)),
    fixed,
    broken,
    isPassFail,
    p,
    lift,
    isNoise: p === null ? (lift?.isNoise ?? true) : p >= SIGNIFICANT,
    casesToShow: isPassFail
      ? casesForShares(scored.length, fixed, broken)
      : casesForMeans(scored.map(({ before, after }) => after.score - before.score)),
  };
}

function isWhole(score: number): boolean {
  return score === 0 || score === 1;
}

function sumOf(answers: { score: number; satisfactory: boolean }[]): AnswerSum {
  return {
    right: answers.filter(({ satisfactory }) => satisfactory).length,
    scores: meanInterval(answers.map(({ score }) => score)),
  };
}
