import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { MIN_PAIRS } from '#lib/statistics/cases-to-show.ts';
import { meanInterval } from '#lib/statistics/intervals.ts';
import {
  COMPARED_METRICS,
  type ComparedMetric,
  holm,
  judgeTest,
  type MetricPair,
  type MetricTest,
  type PairedVerdict,
  pairedVerdictSchema,
  passAtK,
  testPairs,
  VERDICTS,
} from '#lib/statistics/paired-verdict.ts';
import { meanIntervalSchema } from '#lib/statistics/shares.ts';

/** Results of an arm on a case, over all its ended runs. */
export type ArmCase = {
  caseKey: string;
  /** At least 1. */
  runs: number;
  /** Number of runs that determine if the case was solved. */
  judged: number;
  /** Share of the judged runs that solved the case, from 0 to 1. Null if none was judged. */
  solved: number | null;
  /** Mean of the runs' best scores, from 0 to 1, without unscored runs. Null if none is scored. */
  score: number | null;
  /** Mean cost per run. */
  costUsd: number;
};

/** One side of a comparison: an experiment at one version of its settings, named `experimentId@version`. Each `caseKey` occurs once. */
export type ArmCases = { arm: string; cases: readonly ArmCase[] };

/**
 * `baseline`: the arm the others are compared with, the first by default. `metric`: determines the verdict, see `chooseMetric` for the
 * default.
 */
type CompareOptions = { baseline?: string; metric?: ComparedMetric };

const count = z.int().min(0);

export const comparedArmSchema = z.object({
  arm: z.string(),
  cases: count,
  runs: count,
  unscoredRuns: count.meta({
    description:
      'Number of runs without any score that no person accepted. They count neither as solved nor as unsolved.',
  }),
  solved: meanIntervalSchema
    .nullable()
    .meta({ description: 'Share of judged runs that are solved, as the mean over the n cases with a judged run.' }),
  score: meanIntervalSchema.nullable().meta({ description: 'Mean of the best scores. Unscored cases are left out.' }),
  costUsd: z.number(),
  costPerSolvedUsd: z.number().nullable(),
  passAtK: z.array(meanIntervalSchema.extend({ k: count })).meta({
    description: 'Chance that one of k runs of a case is solved, over the n cases with at least k judged runs.',
  }),
});

export const armAgainstSchema = z.object({
  arm: z.string(),
  pairs: count.meta({ description: 'Cases that both arms ran.' }),
  onlyBaseline: count,
  onlyArm: count,
  /** Counts by the metric of the comparison. Together with `unscored` they add up to the pairs. */
  better: count,
  worse: count,
  same: count,
  unscored: count,
  verdict: z.enum(VERDICTS).meta({ description: 'Verdict by the metric of the comparison.' }),
  solved: pairedVerdictSchema,
  score: pairedVerdictSchema,
});

/** Comparison by case of two to five arms with one of them. */
export const armComparisonSchema = z.object({
  baseline: z.string(),
  metric: z
    .enum(COMPARED_METRICS)
    .meta({ description: 'The metric that `verdict`, `better`, `worse` and `same` use.' }),
  arms: z.array(comparedArmSchema).meta({ description: 'The baseline among them, in the order given.' }),
  against: z.array(armAgainstSchema).meta({ description: 'All but the baseline, in the order given.' }),
});
type ComparedArm = z.infer<typeof comparedArmSchema>;
export type ArmAgainst = z.infer<typeof armAgainstSchema>;
export type ArmComparison = z.infer<typeof armComparisonSchema>;

/**
 * Compares arms with the baseline on their shared cases, by both metrics. Each p is adjusted for the number of arms compared by its metric
 * (Holm), and determines the verdict. Deterministic for the same arms. Passing an unknown `baseline` is a programming error.
 */
export function compareArms(arms: readonly ArmCases[], options: CompareOptions = {}): ArmComparison {
  const baseline = arms.find(({ arm }) => arm === options.baseline) ?? arms[0];
  if (baseline === undefined || (options.baseline !== undefined && baseline.arm !== options.baseline))
    throw new Error(`the baseline ${options.baseline ?? '(none)'} is not an arm of the comparison`);
  const metric = options.metric ?? chooseMetric(arms);
  const others = arms.filter((one) => one !== baseline);
  const paired = others.map((one) => ({ ...one, pairs: pairCases(baseline, one).length }));
  const judged = {
    solved: verdictsAgainst(baseline, others, 'solved'),
    score: verdictsAgainst(baseline, others, 'score'),
  };
  return {
    baseline: baseline.arm,
    metric,
    arms: arms.map(sumOf),
    against: paired.flatMap(({ arm, cases, pairs }, index) => {
      const [solved, score] = [judged.solved[index], judged.score[index]];
      if (solved === undefined || score === undefined) return [];
      const { n, better, worse, same, verdict } = metric === 'solved' ? solved : score;
      return {
        arm,
        pairs,
        onlyBaseline: baseline.cases.length - pairs,
        onlyArm: cases.length - pairs,
        better,
        worse,
        same,
        unscored: pairs - n,
        verdict,
        solved,
        score,
      };
    }),
  };
}

/** Compares each other arm with the baseline by one metric. Each p is adjusted for their number (Holm). */
export function verdictsAgainst(
  baseline: ArmCases,
  others: readonly ArmCases[],
  metric: ComparedMetric,
): PairedVerdict[] {
  return judge(
    others.map((other) =>
      testPairs(
        metric,
        pairCases(baseline, other).flatMap(pairOf(metric)),
        `${metric} of ${other.arm} and ${baseline.arm}`,
      ),
    ),
  );
}

/** Returns the more informative metric: solved if all scores are 0 or 1 or there are none, otherwise the score. */
export function chooseMetric(arms: readonly Pick<ArmCases, 'cases'>[]): ComparedMetric {
  const hasFineScores = arms.some(({ cases }) =>
    cases.some(
      ({ judged, score }) => score !== null && (judged === 1 ? score > 0 && score < 1 : !isWhole(score * judged)),
    ),
  );
  return hasFineScores ? 'score' : 'solved';
}

/** Returns the change of a case from the baseline to an arm, by a metric. Null if one side lacks the case or was not judged. */
export function caseChange(
  metric: ComparedMetric,
  baseline: Pick<ArmCase, 'solved' | 'score'> | null,
  arm: Pick<ArmCase, 'solved' | 'score'> | null,
): 'better' | 'worse' | 'same' | null {
  const [before, after] = [baseline?.[metric] ?? null, arm?.[metric] ?? null];
  if (before === null || after === null) return null;
  const by = roundTo6(after) - roundTo6(before);
  return by === 0 ? 'same' : by > 0 ? 'better' : 'worse';
}

function isWhole(value: number): boolean {
  return roundTo6(value) === Math.round(value);
}

type CasePair = { before: ArmCase; after: ArmCase };

function pairCases(baseline: ArmCases, { cases }: ArmCases): CasePair[] {
  const ofBaseline = new Map(baseline.cases.map((one) => [one.caseKey, one]));
  return cases.flatMap((after) => {
    const before = ofBaseline.get(after.caseKey);
    return before === undefined ? [] : [{ before, after }];
  });
}

function pairOf(metric: ComparedMetric) {
  return ({ before, after }: CasePair): MetricPair[] => {
    const [baseline, arm] = [before[metric], after[metric]];
    return baseline === null || arm === null ? [] : [{ baseline, arm, runs: Math.max(before.judged, after.judged) }];
  };
}

/** Tests with too few pairs are inconclusive, so they are excluded from the adjustment of the others. */
function judge(tests: MetricTest[]): PairedVerdict[] {
  const adjusted = holm(tests.map(({ n, p }) => (n < MIN_PAIRS ? null : p)));
  const counted = adjusted.filter((p) => p !== null).length;
  return tests.map((test, index) => judgeTest(test, adjusted[index] ?? null, counted));
}

function sumOf({ arm, cases }: ArmCases): ComparedArm {
  const runs = cases.reduce((sum, one) => sum + one.runs, 0);
  const solvedRuns = cases.reduce((sum, one) => sum + (one.solved ?? 0) * one.judged, 0);
  const costUsd = cases.reduce((sum, one) => sum + one.costUsd * one.runs, 0);
  return {
    arm,
    cases: cases.length,
    runs,
    unscoredRuns: runs - cases.reduce((sum, one) => sum + one.judged, 0),
    solved: meanInterval(cases.flatMap(({ solved }) => (solved === null ? [] : [solved]))),
    score: meanInterval(cases.flatMap(({ score }) => (score === null ? [] : [score]))),
    costUsd,
    costPerSolvedUsd: solvedRuns < EPSILON ? null : costUsd / solvedRuns,
    passAtK: passAt(cases),
  };
}

const EPSILON = 1e-9;
/** Maximum k. Only cases with repetitions have a line. */
const MAX_K = 10;

function passAt(cases: readonly ArmCase[]): ComparedArm['passAtK'] {
  const most = Math.min(
    MAX_K,
    cases.reduce((highest, { judged }) => Math.max(highest, judged), 0),
  );
  if (most < 2) return [];
  return Array.from({ length: most }, (_, index) => index + 1).flatMap((k) => {
    const interval = meanInterval(
      cases.flatMap(({ judged, solved }) => passAtK(judged, Math.round((solved ?? 0) * judged), k) ?? []),
    );
    return interval === null ? [] : [{ k, ...interval }];
  });
}
