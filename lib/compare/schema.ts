import { z } from 'zod';
import { chatMessagesSchema } from '#lib/core/chat/chat-message.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { LESSON_KINDS } from '#lib/core/lesson-schema.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { roundTo6 } from '#lib/core/text-values.ts';
import { COMPARED_METRICS, type ComparedMetric, pairedVerdictSchema } from '#lib/statistics/paired-verdict.ts';
import { readArmName, writeArmName } from './arm-name.ts';
import { armAgainstSchema, caseChange, comparedArmSchema } from './compare-arms.ts';

/** How an arm did on a case beside the baseline. `unscored`: nothing of one of them was scored; `unpaired`: one of them did not run it. */
export const CASE_CHANGES = ['better', 'worse', 'same', 'unscored', 'unpaired'] as const;
export type CaseChangeKind = (typeof CASE_CHANGES)[number];

/** `by`: what the arm has more than the baseline, −1 to 1; null where there are not two numbers to compare. */
export type ArmCaseChange = { kind: CaseChangeKind; by: number | null };

type Sides = { solved: number | null; score: number | null };

/** An arm against the baseline on one case, by the share of judged runs that solved it or by the mean best score; null: not run. */
export function armCaseChange(baseline: Sides | null, arm: Sides | null, metric: ComparedMetric): ArmCaseChange {
  if (baseline === null || arm === null) return { kind: 'unpaired', by: null };
  const kind = caseChange(metric, baseline, arm);
  if (kind === null) return { kind: 'unscored', by: null };
  return { kind, by: kind === 'same' ? 0 : roundTo6((arm[metric] ?? 0) - (baseline[metric] ?? 0)) };
}

/** How many versions (attempts, in retry mode) a run under these settings may make by itself. From 1. */
export function mostVersions({
  mode,
  maxAttempts,
  maxIterations,
}: Pick<ExperimentSettings, 'mode' | 'maxAttempts' | 'maxIterations'>): number {
  return mode === 'retry' ? maxAttempts : maxIterations + 1;
}

/** What an arm of a comparison may spend on a run, and what it did spend on average: null where nothing ran, cost also where unpriced. */
export type ArmEffort = {
  settings: Pick<ExperimentSettings, 'mode' | 'maxAttempts' | 'maxIterations' | 'budget'>;
  costPerRun: number | null;
  tokensPerRun: number | null;
};

const perArm = z.object({
  /** Versions (attempts, in retry mode) that a run may make. */
  mostVersions: z.int().min(1),
  /** Spent per run, as a multiple of the baseline's: in dollars where both have a price, else in tokens; null where neither is known. */
  spent: z.number().min(0).nullable(),
  spentIn: z.enum(['cost', 'tokens']).nullable(),
  hasOtherBudget: z.boolean(),
});

/** How arms differ in effort; `arms` in their order. */
const effortDifferenceSchema = z.object({
  arms: z.array(perArm),
  /** They may make other numbers of versions, or have other budgets. */
  hasOtherLimits: z.boolean(),
  /** One spent noticeably more or less a run than the baseline. */
  hasOtherSpend: z.boolean(),
});
type EffortDifference = z.infer<typeof effortDifferenceSchema>;

/** Spending this many times as much, or as little, is said. */
const NOTICEABLE = 1.25;

/** Compares what arms may spend and did spend with the arm at `baseline`: a result that was paid for with more effort is no better setting. */
export function effortDifference(arms: readonly ArmEffort[], baseline: number): EffortDifference {
  const base = arms[baseline];
  const compared = arms.map((arm) => ({
    mostVersions: mostVersions(arm.settings),
    ...spentAgainst(arm, base),
    hasOtherBudget: JSON.stringify(arm.settings.budget) !== JSON.stringify(base?.settings.budget),
  }));
  return {
    arms: compared,
    hasOtherLimits:
      new Set(compared.map((arm) => arm.mostVersions)).size > 1 ||
      compared.some(({ hasOtherBudget }) => hasOtherBudget),
    hasOtherSpend: compared.some(({ spent }) => isNoticeable(spent)),
  };
}

function spentAgainst(
  arm: ArmEffort,
  base: ArmEffort | undefined,
): Pick<EffortDifference['arms'][number], 'spent' | 'spentIn'> {
  const cost = ratioOf(arm.costPerRun, base?.costPerRun ?? null);
  if (cost !== null) return { spent: cost, spentIn: 'cost' };
  const tokens = ratioOf(arm.tokensPerRun, base?.tokensPerRun ?? null);
  return { spent: tokens, spentIn: tokens === null ? null : 'tokens' };
}

function ratioOf(spent: number | null, base: number | null): number | null {
  return spent === null || base === null || base === 0 ? null : spent / base;
}

/** Whether what was spent, as a multiple of the baseline's, is worth saying. */
export function isNoticeable(spent: number | null): boolean {
  return spent !== null && (spent >= NOTICEABLE || spent <= 1 / NOTICEABLE);
}

/** A setting that differs: its path (`lessons.store`), and both values in short; both null where they are too long to be shown in a line. */
const settingsDifferenceSchema = z.object({
  setting: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type SettingsDifference = z.infer<typeof settingsDifferenceSchema>;

/** Values longer than this, in characters, are only said to differ. */
const LONGEST = 40;

/** What differs from one set of settings to another, in the order of the settings. Lists and texts are compared as a whole. */
export function settingsDifferences(before: ExperimentSettings, after: ExperimentSettings): SettingsDifference[] {
  return differences('', before, after);
}

function differences(path: string, before: unknown, after: unknown): SettingsDifference[] {
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(path === '' ? name : `${path}.${name}`, before[name], after[name]),
    );
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, fresh] = [inShort(before), inShort(after)];
  const isShort = old.length <= LONGEST && fresh.length <= LONGEST;
  return [{ setting: path, before: isShort ? old : null, after: isShort ? fresh : null }];
}

function inShort(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (isRecord(value) && typeof value.model === 'string') return value.model;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

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
  message: z.string().nullable().meta({ description: 'The message that these settings were saved with.' }),
  failed: count.meta({
    description: 'Ended runs that failed. They count as not solved if anything was scored, and are left out otherwise.',
  }),
  underWay: count.meta({ description: 'Runs that have not ended. They do not count yet.' }),
  unpriced: z.boolean().meta({ description: 'Some of its calls have no known price: its cost is only a lower bound.' }),
  differences: z.array(settingsDifferenceSchema).meta({ description: 'Settings that differ from the baseline’s.' }),
});

/** A case on one arm: null where the arm did not run it. Of several runs, `runId` and `scores` are the first one's. */
const armOfCaseSchema = z.object({
  runs: count,
  judged: count.meta({ description: 'Runs that were scored, or accepted by a person.' }),
  solved: z.number().nullable().meta({ description: 'Share of the judged runs. Null if there are none.' }),
  score: z.number().nullable(),
  runId: id.nullable(),
  scores: z.array(z.number().nullable()).meta({ description: 'By version. Null for an unscored version.' }),
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

const score = z.number().nullable();

/** What a run made of a case: its result is the accepted version, else the best one; it has none where nothing was scored. */
const resultSchema = z.object({
  runId: z.guid(),
  number: z.int(),
  status: z.string(),
  success: z.boolean(),
  version: z.int().nullable(),
  versionCount: z.int(),
  output: z.string().nullable().meta({ description: 'Null if the text was not kept, or there is none.' }),
  score,
  satisfactory: z.boolean(),
  criteria: z
    .array(z.object({ name: z.string(), score, threshold: z.number().nullable(), reason: z.string().nullable() }))
    .meta({ description: '`threshold` is null if the settings do not name the criterion.' }),
  recalled: z
    .array(
      z.object({
        lessonId: z.guid(),
        kind: z.enum(LESSON_KINDS),
        text: z.string(),
        versions: z.array(z.int()).meta({ description: 'Versions whose prompt contained it.' }),
        isOwn: z.boolean().meta({ description: 'The run wrote it itself.' }),
      }),
    )
    .meta({ description: 'Lessons in the prompts of its versions, by the first of them.' }),
});
export type CaseResult = z.infer<typeof resultSchema>;

/** A case looked into: its task, and what each arm of a comparison made of it. */
export const comparedCaseSchema = z.object({
  caseKey: z.string(),
  input: z.string(),
  messages: chatMessagesSchema.nullish().meta({ description: 'The input as messages, if it is a conversation.' }),
  reference: z.string().nullable(),
  arms: z.array(
    z.object({
      arm: z.string(),
      runs: z.array(z.object({ id: z.guid(), number: z.int(), score, success: z.boolean() })),
      result: resultSchema
        .nullable()
        .meta({ description: 'Result of the first run. Null if the experiment did not run the case.' }),
    }),
  ),
});
export type ComparedCase = z.infer<typeof comparedCaseSchema>;

/** Arms that can be compared at once; the first of them is the baseline where none is named. */
export const FEWEST_ARMS = 2;
export const MOST_ARMS = 5;

const EXPECTED = 'must be the id of an experiment, optionally followed by @ and a version of its settings';

/** One arm in a query. */
export const armNameSchema = z
  .string({ error: 'must be given once' })
  .max(60, { error: EXPECTED })
  .transform((text, context) => readArmName(text) ?? refuse(context, EXPECTED));

/** Two to five arms in a query, separated by commas, none of them twice. */
export const armNamesSchema = z
  .string({ error: 'must be given once' })
  .max(400, { error: `must be at most ${MOST_ARMS} experiments` })
  .transform((text, context) => {
    const names = text.split(',').filter((part) => part.trim() !== '');
    const read = names.flatMap((name) => readArmName(name) ?? []);
    if (read.length < names.length) return refuse(context, `${EXPECTED}, comma-separated if there are several`);
    if (read.length < FEWEST_ARMS || read.length > MOST_ARMS)
      return refuse(context, `must be ${FEWEST_ARMS} to ${MOST_ARMS} experiments, separated by commas`);
    if (new Set(read.map(writeArmName)).size < read.length) return refuse(context, 'must not name an experiment twice');
    return read;
  });

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
