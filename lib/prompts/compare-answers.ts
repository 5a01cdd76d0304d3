import { signTest } from '#lib/core/sign-test.ts';
import { casesForMeans, casesForShares } from '#lib/statistics/cases-to-show.ts';
import { type MeanInterval, meanInterval } from '#lib/statistics/intervals.ts';
import { pairedLift } from '#lib/statistics/paired-lift.ts';
import type { PairedLift } from '#lib/statistics/paired-lift-schema.ts';
import { SIGNIFICANT } from '#lib/statistics/write-chance.ts';

/** How an answer to a case came out; a score of null counts nowhere. */
export type ScoredAnswer = { score: number | null; satisfactory: boolean };
/** What two prompts made of the same case; null where one was not tried on it. */
export type AnswerPair = { case: string; before: ScoredAnswer | null; after: ScoredAnswer | null };

/** One of two prompts over the cases that both are scored on: how many it has right (satisfactory), and its mean score. */
export type AnswerSum = { right: number; scores: MeanInterval | null };

/**
 * Two prompts on the same `n` cases. `isPassFail`: every score is 0 or 1, so `p` is McNemar's exact test and `lift` is null; else `lift`
 * is the paired bootstrap and `p` null. `casesToShow`: about how many cases would show a gain of this size four times of five; null where
 * there is none.
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

/** Compares case by case; `seed` decides what the bootstrap draws. */
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
