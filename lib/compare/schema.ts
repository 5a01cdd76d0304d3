import { z } from 'zod';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { LESSON_KINDS } from '#lib/core/lesson-schema.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { signTest } from '#lib/core/sign-test.ts';
import { SIGNIFICANT } from '#lib/statistics/format-statistics.ts';
import { COMPARED_METRICS, type ComparedMetric, pairedVerdictSchema } from '#lib/statistics/paired-verdict.ts';
import { readArmName, writeArmName } from './arm-name.ts';
import { armAgainstSchema, caseChange, comparedArmSchema } from './compare-arms.ts';

/**
 * Result of an arm on a case relative to the baseline. `unscored`: one of the two has no scored version. `unpaired`: one of the two did not
 * run the case.
 */
export const CASE_CHANGES = ['better', 'worse', 'same', 'unscored', 'unpaired'] as const;
export type CaseChangeKind = (typeof CASE_CHANGES)[number];

/** `by`: the difference to the baseline, −1 to 1. Null if there are not two numbers to compare. */
export type ArmCaseChange = { kind: CaseChangeKind; by: number | null };

type Sides = { solved: number | null; score: number | null };

/**
 * Compares an arm with the baseline on one case, by the share of judged runs that solved it or by the mean best score. A null side did not
 * run the case.
 */
export function armCaseChange(baseline: Sides | null, arm: Sides | null, metric: ComparedMetric): ArmCaseChange {
  if (baseline === null || arm === null) return { kind: 'unpaired', by: null };
  const kind = caseChange(metric, baseline, arm);
  if (kind === null) return { kind: 'unscored', by: null };
  return { kind, by: kind === 'same' ? 0 : roundTo6((arm[metric] ?? 0) - (baseline[metric] ?? 0)) };
}

/**
 * Returns the maximum number of versions (attempts, in retry mode) that a run with these settings may make without a person. At least 1.
 */
export function mostVersions({
  mode,
  maxAttempts,
  maxIterations,
}: Pick<ExperimentSettings, 'mode' | 'maxAttempts' | 'maxIterations'>): number {
  return mode === 'retry' ? maxAttempts : maxIterations + 1;
}

/** Limits of an arm per run, and its average spend per run. The averages are null if nothing ran. The cost is also null if unpriced. */
export type ArmEffort = {
  settings: Pick<ExperimentSettings, 'mode' | 'maxAttempts' | 'maxIterations' | 'budget'>;
  costPerRun: number | null;
  tokensPerRun: number | null;
};

const perArm = z.object({
  /** Maximum number of versions (attempts, in retry mode) of a run. */
  mostVersions: z.int().min(1),
  /** Spend per run as a multiple of the baseline's: in dollars if both have a price, else in tokens. Null if neither is known. */
  spent: z.number().min(0).nullable(),
  spentIn: z.enum(['cost', 'tokens']).nullable(),
  hasOtherBudget: z.boolean(),
});

/** Differences in effort between arms. `arms` keeps their order. */
const effortDifferenceSchema = z.object({
  arms: z.array(perArm),
  /** True if the arms differ in their maximum number of versions or in their budgets. */
  hasOtherLimits: z.boolean(),
  /** True if an arm spent noticeably more or less per run than the baseline. */
  hasOtherSpend: z.boolean(),
});
type EffortDifference = z.infer<typeof effortDifferenceSchema>;

/** Differences in spend by at least this factor, up or down, are reported. */
const NOTICEABLE = 1.25;

/**
 * Compares the limits and spend of the arms with those of the arm at `baseline`. A better result that took more effort does not show a
 * better setting.
 */
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
  // Without any tokens, the usage is unknown: the runs were imported without it, or their server does not report it.
  const tokens = ratioOf(arm.tokensPerRun || null, base?.tokensPerRun ?? null);
  return { spent: tokens, spentIn: tokens === null ? null : 'tokens' };
}

function ratioOf(spent: number | null, base: number | null): number | null {
  return spent === null || base === null || base === 0 ? null : spent / base;
}

/** True if the spend, as a multiple of the baseline's, is different enough to report. */
export function isNoticeable(spent: number | null): boolean {
  return spent !== null && (spent >= NOTICEABLE || spent <= 1 / NOTICEABLE);
}

/**
 * Returns true if a significantly larger share of the runs of one arm has no score than of the other, by the exact test for two rates. The
 * cases that remain may then hide a difference, or show one that does not exist.
 */
export function isUnscoredMoreOften(one: UnscoredRuns, other: UnscoredRuns): boolean {
  const all = one.unscoredRuns + other.unscoredRuns;
  const share = other.runs / (one.runs + other.runs);
  return other.unscoredRuns < all * share && signTest(other.unscoredRuns, one.unscoredRuns, share) < SIGNIFICANT;
}

type UnscoredRuns = { runs: number; unscoredRuns: number };

/** A setting that differs: its path (`lessons.store`) and both values in short form. Both are null if they are too long for one line. */
const settingsDifferenceSchema = z.object({
  setting: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type SettingsDifference = z.infer<typeof settingsDifferenceSchema>;

/** Maximum length of a displayed value, in characters. Longer values are only reported as different. */
const MAX_VALUE_LENGTH = 40;

/** Returns the differences between two sets of settings, in the order of the settings. Lists and texts are compared as a whole. */
export function settingsDifferences(before: ExperimentSettings, after: ExperimentSettings): SettingsDifference[] {
  return differences('', before, after);
}

function differences(path: string, before: unknown, after: unknown): SettingsDifference[] {
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      differences(path === '' ? name : `${path}.${name}`, before[name], after[name]),
    );
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, fresh] = [formatShortValue(before), formatShortValue(after)];
  const isShort = old.length <= MAX_VALUE_LENGTH && fresh.length <= MAX_VALUE_LENGTH;
  return [{ setting: path, before: isShort ? old : null, after: isShort ? fresh : null }];
}

function formatShortValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (isRecord(value) && typeof value.model === 'string') return value.model;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const count = z.int().min(0);
const id = z.guid();

/** Description of an arm, without its results. */
const armFacts = z.object({
  experimentId: id,
  version: count.meta({ description: 'Version of the settings.' }),
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

/**
 * The result of an arm on a case, or null if the arm did not run it. With several runs, `runId` and `scores` are those of the first one.
 */
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
 * A comparison as returned by the API and shown on the page. The baseline is the first of the arms, `against` contains the others in order.
 * `cut`: the same comparison with every run cut to the fewest versions that all arms may make. Null if all arms may make the same number,
 * or if it is not known yet.
 * `differences`: differences in the metric for each arm in `against`, sorted. At most 200, evenly sampled.
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

/** Result of a run on a case: the accepted version, else the best one. There is none if nothing was scored. */
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

/** A compared case in detail: its input, and the result of each arm. */
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

/** Limits on the number of arms in one comparison. The first arm is the default baseline. */
export const MIN_ARMS = 2;
export const MAX_ARMS = 5;

const EXPECTED = 'must be the id of an experiment, optionally followed by @ and a version of its settings';

export const armNameSchema = z
  .string({ error: 'must be given once' })
  .max(60, { error: EXPECTED })
  .transform((text, context) => readArmName(text) ?? addCustomIssue(context, EXPECTED));

/** Two to five comma-separated arms in a query string, without duplicates. */
export const armNamesSchema = z
  .string({ error: 'must be given once' })
  .max(400, { error: `must be at most ${MAX_ARMS} experiments` })
  .transform((text, context) => {
    const names = text.split(',').filter((part) => part.trim() !== '');
    const read = names.flatMap((name) => readArmName(name) ?? []);
    if (read.length < names.length) return addCustomIssue(context, `${EXPECTED}, comma-separated if there are several`);
    if (read.length < MIN_ARMS || read.length > MAX_ARMS)
      return addCustomIssue(context, `must be ${MIN_ARMS} to ${MAX_ARMS} experiments, separated by commas`);
    if (new Set(read.map(writeArmName)).size < read.length)
      return addCustomIssue(context, 'must not name an experiment twice');
    return read;
  });

function addCustomIssue(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
