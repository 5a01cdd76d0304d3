import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { signTest } from '#lib/core/sign-test.ts';
import { casesForMeans, casesForShares, MIN_PAIRS } from './cases-to-show.ts';
import { decimalsOfInterval, SIGNIFICANT, writeChance, writeP } from './format-statistics.ts';
import { pairedBootstrap, roundEvenly } from './paired-bootstrap.ts';
import { type PairCounts, pairedShares } from './shares.ts';

const count = z.int().min(0);
const number = z.number().nullable();
const chance = z.number().min(0).max(1).nullable();

/** Metrics by which two arms are compared: the share of solved runs, or the mean best score. */
export const COMPARED_METRICS = ['solved', 'score'] as const;
export type ComparedMetric = (typeof COMPARED_METRICS)[number];

/** `better`, `worse`: differs from the baseline by more than noise. `too_few`: fewer than 6 pairs. */
export const VERDICTS = ['better', 'worse', 'within_noise', 'too_few'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Comparison of an arm with the baseline by one metric, over the `n` cases for which both have it. Differences are arm minus baseline. */
export const pairedVerdictSchema = z.object({
  metric: z.enum(COMPARED_METRICS),
  n: count.meta({ description: 'Cases for which both arms have this metric.' }),
  baseline: number.meta({ description: 'Mean over the n cases, from 0 to 1.' }),
  arm: number,
  difference: number.meta({ description: 'Above 0 is better.' }),
  low: number.meta({
    description: 'Lower bound of the 95% interval of the difference. Null if there are too few cases to estimate it.',
  }),
  high: number,
  better: count,
  worse: count,
  same: count,
  test: z
    .enum(['mcnemar_exact', 'paired_bootstrap', 'student_t'])
    .nullable()
    .meta({ description: 'The test that gives `p`. Null if there is no `p`.' }),
  p: chance.meta({ description: 'Two-sided.' }),
  pHolm: chance.meta({
    description: '`p` after Holm correction for all arms that are compared by this metric. The verdict uses it.',
  }),
  verdict: z.enum(VERDICTS),
  casesToShow: count.nullable().meta({
    description: 'Approximate number of cases that would show a difference of this size in 4 of 5 comparisons.',
  }),
  reading: z.string().meta({ description: 'The verdict as a sentence, with its numbers.' }),
});
export type PairedVerdict = z.infer<typeof pairedVerdictSchema>;

/**
 * Results of both sides on a case, each from 0 to 1: the share of its judged runs that were solved, or its mean best score. `runs`: number
 * of judged runs, on the side that has more.
 */
export type MetricPair = { baseline: number; arm: number; runs: number };
/** The test result of the pairs, before it is adjusted for the number of arms. */
export type MetricTest = Omit<PairedVerdict, 'pHolm' | 'verdict' | 'reading'>;

/**
 * Tests one metric case by case. The same `seed` draws the same samples. Uses McNemar's exact test with Newcombe's interval for solved or
 * not, with one run of each case on both sides. Otherwise uses the mean of the differences, see `pairedBootstrap`.
 */
export function testPairs(metric: ComparedMetric, pairs: readonly MetricPair[], seed: string): MetricTest {
  const n = pairs.length;
  const differences = pairs.map(({ baseline, arm }) => roundTo6(arm) - roundTo6(baseline)).map(roundEvenly);
  const better = differences.filter((by) => by > 0).length;
  const worse = differences.filter((by) => by < 0).length;
  const means = {
    baseline: n === 0 ? null : roundTo6(meanOf(pairs.map(({ baseline }) => baseline))),
    arm: n === 0 ? null : roundTo6(meanOf(pairs.map(({ arm }) => arm))),
  };
  const counts = { metric, n, ...means, better, worse, same: n - better - worse };
  if (metric === 'solved' && n > 0 && pairs.every(({ runs }) => runs === 1)) {
    const interval = pairedShares(countsOf(pairs, better, worse));
    return {
      ...counts,
      difference: interval === null ? null : roundEvenly(interval.difference),
      low: interval === null ? null : roundEvenly(interval.low),
      high: interval === null ? null : roundEvenly(interval.high),
      test: 'mcnemar_exact',
      p: tidy(signTest(better, worse)),
      casesToShow: casesForShares(n, better, worse),
    };
  }
  const found = pairedBootstrap(differences, seed);
  return {
    ...counts,
    difference: found?.difference ?? (n === 1 ? (differences[0] ?? null) : null),
    low: found?.low ?? null,
    high: found?.high ?? null,
    test: found?.test ?? null,
    p: found === null ? null : tidy(found.p),
    casesToShow: casesForMeans(differences),
  };
}

/** Returns the verdict on a test after `pHolm` has been adjusted for all `tests` of its kind. */
export function judgeTest(test: MetricTest, pHolm: number | null, tests: number): PairedVerdict {
  const verdict = verdictOf(test, pHolm);
  const judged = { ...test, pHolm, verdict };
  return { ...judged, reading: readVerdict(judged, tests) };
}

function verdictOf({ n, difference }: MetricTest, pHolm: number | null): Verdict {
  if (n < MIN_PAIRS || pHolm === null || difference === null) return 'too_few';
  if (pHolm >= SIGNIFICANT || difference === 0) return 'within_noise';
  return difference > 0 ? 'better' : 'worse';
}

function countsOf(pairs: readonly MetricPair[], better: number, worse: number): PairCounts {
  const both = pairs.filter(({ baseline, arm }) => baseline === 1 && arm === 1).length;
  return { both, onlyArm: better, onlyBaseline: worse, neither: pairs.length - both - better - worse };
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Rounds to 9 digits, to remove rounding errors from logarithms. */
function tidy(p: number): number {
  return Number(p.toPrecision(9));
}

/**
 * Returns p-values adjusted for multiple tests with Holm's step-down method, which bounds the probability of any false positive by the
 * significance level. Keeps the order. Null stays null and does not count as a test. Source: Holm 1979.
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const ranked = pValues
    .flatMap((p, index) => (p === null ? [] : [{ p, index }]))
    .sort((one, other) => one.p - other.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let atLeast = 0;
  ranked.forEach(({ p, index }, rank) => {
    atLeast = Math.max(atLeast, Math.min(1, p * (ranked.length - rank)));
    adjusted[index] = atLeast;
  });
  return adjusted;
}

/**
 * Returns the unbiased probability that at least one of `k` runs of a case is solved, from `solved` of `runs`: 1 − C(runs − solved, k) /
 * C(runs, k). Null if the case has fewer than `k` runs, or if `k` is below 1. Source: Chen et al. 2021, Evaluating Large Language Models
 * Trained on Code, section 2.1 and figure 3.
 */
export function passAtK(runs: number, solved: number, k: number): number | null {
  if (k < 1 || runs < k) return null;
  if (runs - solved < k) return 1;
  let noneSolved = 1;
  for (let run = runs - solved + 1; run <= runs; run++) noneSolved *= 1 - k / run;
  return 1 - noneSolved;
}

type Judged = MetricTest & { pHolm: number | null; verdict: Verdict };

/** Returns a verdict as a sentence with its numbers. `tests`: number of arms compared by the metric. */
export function readVerdict(result: Judged, tests: number): string {
  const { n, difference, arm, baseline } = result;
  if (difference === null || arm === null || baseline === null)
    return 'Nothing to compare: no case has a result on both sides.';
  const [what, level] =
    result.metric === 'solved' ? ['solved', percent] : ['mean best score', (score: number) => score.toFixed(2)];
  const cases = `${result.better} better, ${result.worse} worse of ${n} ${n === 1 ? 'case' : 'cases'}`;
  const numbers = [change(result), cases, ...chancePart(result, tests)].join('; ');
  return `${WORDS[result.verdict]}: ${what} ${level(arm)} against ${level(baseline)} (${numbers}).`;
}

const WORDS: Record<Verdict, string> = {
  better: 'Better than the baseline',
  worse: 'Worse than the baseline',
  within_noise: 'Within noise',
  too_few: 'Too few cases to tell',
};

const TEST_NAMES = {
  mcnemar_exact: 'McNemar’s exact test',
  paired_bootstrap: 'paired bootstrap',
  student_t: 'Student’s t on the differences',
} as const;

function change({ metric, difference, low, high }: Judged): string {
  const [scale, least] = SCALES[metric];
  const decimals = decimalsOfInterval({ low, high }, least, scale);
  const shown = (value: number) => signed(value * scale, decimals);
  const interval = low === null || high === null ? 'no interval' : `95% ${shown(low)} to ${shown(high)}`;
  return `${shown(difference ?? 0)}${metric === 'solved' ? ' points' : ''}, ${interval}`;
}

/** Factor and minimum number of decimals of differences. */
const SCALES = { solved: [100, 0], score: [1, 2] } as const;

function chancePart({ test, p, pHolm, verdict }: Judged, tests: number): string[] {
  if (p === null || test === null) return [];
  const adjusted =
    tests > 1 && pHolm !== null && verdict !== 'too_few'
      ? `, ${writeChance(pHolm, 3)} with ${tests} arms counted (Holm)`
      : '';
  return [`${TEST_NAMES[test]} ${writeP(p, 3)}${adjusted}`];
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** Formats a number with its sign, but without one if it rounds to zero. */
function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return `${value > 0 ? '+' : '−'}${text}`;
}
