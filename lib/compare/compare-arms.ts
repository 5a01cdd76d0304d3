import { z } from 'zod';
import { roundTo6 } from '#lib/core/text-values.ts';
import { meanInterval } from '#lib/statistics/intervals.ts';
import {
  COMPARED_METRICS,
  type ComparedMetric,
  holm,
  judgeTest,
  LEAST_PAIRS,
  type MetricPair,
  type MetricTest,
  type PairedVerdict,
  pairedVerdictSchema,
  passAtK,
  testPairs,
  VERDICTS,
} from '#lib/statistics/paired-verdict.ts';
import { meanIntervalSchema } from '#lib/statistics/shares.ts';

/** A case as an arm did on it: over all its ended runs together. */
export type ArmCase = {
  caseKey: string;
  /** At least 1. */
  runs: number;
  /** Those of them that say whether the case was solved. */
  judged: number;
  /** Share of the judged runs that were solved, from 0 to 1; null where none was judged. */
  solved: number | null;
  /** Mean of the runs' best scores, from 0 to 1, those without one left out; null where none is scored. */
  score: number | null;
  /** Mean of the runs. */
  costUsd: number;
};

/** One side of a comparison: an experiment at one version of its settings, named `experimentId@version`. Each `caseKey` once. */
export type ArmCases = { arm: string; cases: readonly ArmCase[] };

/** `baseline`: the arm the others are held against, else the first. `metric`: what the verdict goes by, else see `chooseMetric`. */
type CompareOptions = { baseline?: string; metric?: ComparedMetric };

const count = z.int().min(0);

export const comparedArmSchema = z.object({
  arm: z.string(),
  cases: count,
  runs: count,
  unscoredRuns: count.meta({
    description:
      'Of the runs: those of which nothing was scored, nor accepted by a person. They count neither as solved nor as not.',
  }),
  solved: meanIntervalSchema
    .nullable()
    .meta({ description: 'Over the n cases with a judged run: the share of the judged runs of each.' }),
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
  /** By the metric of the comparison; with `unscored` they make the pairs. */
  better: count,
  worse: count,
  same: count,
  unscored: count,
  verdict: z.enum(VERDICTS).meta({ description: 'By the metric of the comparison.' }),
  solved: pairedVerdictSchema,
  score: pairedVerdictSchema,
});

/** Two to five arms held against one of them, case by case. */
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
 * Compares arms with the baseline over the cases they share, by both metrics: each p is adjusted for the number of arms compared by its
 * metric (Holm), and verdicts go by that. The same arms give the same numbers. An arm that does not exist as `baseline` is a bug.
 */
export function compareArms(arms: readonly ArmCases[], options: CompareOptions = {}): ArmComparison {
  const baseline = arms.find(({ arm }) => arm === options.baseline) ?? arms[0];
  if (baseline === undefined || (options.baseline !== undefined && baseline.arm !== options.baseline))
    throw new Error(`no arm to compare with: ${options.baseline ?? 'none was given'}`);
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
    against: paired.flatMap(({ arm, cases, pairs }, place) => {
      const [solved, score] = [judged.solved[place], judged.score[place]];
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

/** How each of the others stands against the baseline by one metric, each p adjusted for the number of them (Holm). */
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

/** The metric that says more: whether solved, where all scores are 0 or 1 or there are none, else the score. */
export function chooseMetric(arms: readonly Pick<ArmCases, 'cases'>[]): ComparedMetric {
  const tellsMore = arms.some(({ cases }) =>
    cases.some(
      ({ judged, score }) => score !== null && (judged === 1 ? score > 0 && score < 1 : !isWhole(score * judged)),
    ),
  );
  return tellsMore ? 'score' : 'solved';
}

/** How a case came out in an arm against the baseline, by a metric: null where one side does not have it, or was not judged. */
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

/** Tests of too few pairs decide nothing, so they make the others no harder to pass either. */
function judge(tests: MetricTest[]): PairedVerdict[] {
  const adjusted = holm(tests.map(({ n, p }) => (n < LEAST_PAIRS ? null : p)));
  const counted = adjusted.filter((p) => p !== null).length;
  return tests.map((test, place) => judgeTest(test, adjusted[place] ?? null, counted));
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
    costPerSolvedUsd: solvedRuns < HARDLY_ANY ? null : costUsd / solvedRuns,
    passAtK: passAt(cases),
  };
}

const HARDLY_ANY = 1e-9;
/** Only what has repetitions is worth a line, and no more lines than anybody reads. */
const MOST_K = 10;

function passAt(cases: readonly ArmCase[]): ComparedArm['passAtK'] {
  const most = Math.min(
    MOST_K,
    cases.reduce((highest, { judged }) => Math.max(highest, judged), 0),
  );
  if (most < 2) return [];
  return Array.from({ length: most }, (_, place) => place + 1).flatMap((k) => {
    const interval = meanInterval(
      cases.flatMap(({ judged, solved }) => passAtK(judged, Math.round((solved ?? 0) * judged), k) ?? []),
    );
    return interval === null ? [] : [{ k, ...interval }];
  });
}
