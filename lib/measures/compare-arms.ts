import { z } from 'zod';
import { meanIntervalSchema } from './mean-interval.ts';
import { COMPARED_METRICS, pairedVerdictSchema, VERDICTS } from './paired-verdict.ts';

/** A case as an arm did on it: over all its ended runs together. */
export type ArmCase = {
  caseKey: string;
  /** The beginning of its input, for people. */
  title: string;
  /** At least 1. */
  runs: number;
  /** Share of the runs that were solved, from 0 to 1. */
  solved: number;
  /** Mean of the runs' best scores, from 0 to 1; null where none is scored. */
  score: number | null;
  /** Of all the runs together. */
  costUsd: number;
};

/** One side of a comparison: an experiment at one version of its settings. */
export type ArmCases = {
  /** `experimentId@version`. */
  arm: string;
  name: string;
  /** Versions or attempts that a run may make at most; null where nothing says. */
  cap: number | null;
  /** Some of its calls have no known price: its cost is only a lower bound. */
  unpriced: boolean;
  /** Each `caseKey` once. */
  cases: ArmCase[];
};

const count = z.int().min(0);

export const comparedArmSchema = z.object({
  arm: z.string(),
  name: z.string(),
  cases: count,
  runs: count,
  solved: meanIntervalSchema.nullable(),
  score: meanIntervalSchema.nullable().meta({ description: 'Of the best scores; unscored cases count nowhere.' }),
  costUsd: z.number(),
  unpriced: z.boolean(),
  costPerSolvedUsd: z.number().nullable(),
  cap: count.nullable(),
  passAtK: z
    .array(z.object({ k: count, n: count, share: z.number() }))
    .meta({ description: 'Chance that one of k runs of a case is solved, over the n cases with at least k runs.' }),
});

/** Whether two arms could spend alike. `text` says in words what differs; null where nothing does. */
export const armEffortSchema = z.object({
  cap: z.object({ baseline: count.nullable(), arm: count.nullable() }),
  costPerRunUsd: z.object({ baseline: z.number().nullable(), arm: z.number().nullable() }),
  differs: z.boolean(),
  text: z.string().nullable(),
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
  effort: armEffortSchema,
});

/** Two to five arms held against one of them, case by case. */
export const armComparisonSchema = z.object({
  baseline: z.string(),
  metric: z.enum(COMPARED_METRICS).meta({ description: 'What `verdict`, `better`, `worse` and `same` go by.' }),
  arms: z.array(comparedArmSchema).meta({ description: 'The baseline among them, in the order given.' }),
  against: z.array(armAgainstSchema).meta({ description: 'All but the baseline, in the order given.' }),
});
export type ComparedArm = z.infer<typeof comparedArmSchema>;
export type ArmEffort = z.infer<typeof armEffortSchema>;
export type ArmAgainst = z.infer<typeof armAgainstSchema>;
export type ArmComparison = z.infer<typeof armComparisonSchema>;
