import { z } from 'zod';
import { COMPARED_METRICS, pairedVerdictSchema } from '#lib/statistics/paired-verdict.ts';
import { CASE_CHANGES } from './case-change.ts';
import { armAgainstSchema, comparedArmSchema } from './compare-arms.ts';
import { effortDifferenceSchema } from './effort-difference.ts';
import { settingsDifferenceSchema } from './settings-differences.ts';

const count = z.int().min(0);
const id = z.guid();

/** What an arm is, besides what came of it. */
const armFacts = z.object({
  experimentId: id,
  version: count.meta({ description: 'Of the settings.' }),
  experimentName: z.string(),
  mode: z.string(),
  origin: z.string(),
  sample: z.boolean(),
  practice: z.boolean(),
  control: z.string().nullable(),
  message: z.string().nullable().meta({ description: 'What was said of these settings when they were saved.' }),
  failed: count.meta({
    description: 'Of its ended runs; they count as not solved where anything of them was scored, else nowhere.',
  }),
  underWay: count.meta({ description: 'Runs that have not ended and count nowhere yet.' }),
  unpriced: z.boolean().meta({ description: 'Some of its calls have no known price: its cost is only a lower bound.' }),
  differences: z.array(settingsDifferenceSchema).meta({ description: 'Settings that differ from the baseline’s.' }),
});

/** A case on one arm: null where the arm did not run it. Of several runs, `runId` and `scores` are the first one's. */
const armOfCaseSchema = z.object({
  runs: count,
  judged: count.meta({ description: 'Runs that were scored, or accepted by a person.' }),
  solved: z.number().nullable().meta({ description: 'Share of the judged runs; null where there is none.' }),
  score: z.number().nullable(),
  runId: id.nullable(),
  scores: z.array(z.number().nullable()).meta({ description: 'By version, null where unscored.' }),
});
const caseRowSchema = z.object({
  caseKey: z.string(),
  title: z.string(),
  arms: z.array(armOfCaseSchema.nullable()).meta({ description: 'In the order of the arms.' }),
  changes: z
    .array(z.object({ kind: z.enum(CASE_CHANGES), by: z.number().nullable() }))
    .meta({ description: 'Of each arm against the baseline, in the order of the arms.' }),
});
export type ComparedCaseRow = z.infer<typeof caseRowSchema>;

/**
 * A comparison as the API answers it and the page shows it. The baseline is the first of the arms, `against` the others in their order.
 * `cut`: the same comparison with every run cut to the fewest versions that all arms may make; null where all may make as many, or that
 * cannot be told yet. `differences`: of the metric, of each arm in `against`, sorted; at most 200 of them, evenly chosen.
 */
export const comparisonSchema = z.object({
  metric: z.enum(COMPARED_METRICS),
  baseline: z.string(),
  arms: z.array(comparedArmSchema.extend(armFacts.shape)),
  against: z.array(armAgainstSchema.extend({ differences: z.array(z.number()) })),
  sharedCases: count.meta({ description: 'Cases that every arm ran.' }),
  effort: effortDifferenceSchema,
  cut: z.object({ versions: count, against: z.array(pairedVerdictSchema) }).nullable(),
  cases: z.object({
    items: z.array(caseRowSchema),
    total: count,
    nextCursor: z.string().nullable(),
  }),
});
export type Comparison = z.infer<typeof comparisonSchema>;
export type ComparisonArm = Comparison['arms'][number];
export type ComparisonAgainst = Comparison['against'][number];
