import { z } from 'zod';
import type { BaseSettings } from '#lib/core/agents/base-settings.ts';
import { type Criterion, isJudgedByModel } from '#lib/core/criterion.ts';
import { type History, SPLITS } from '#lib/core/history.ts';
import { withIssueIds } from '#lib/core/issues/identify-issues.ts';
import { LESSON_ADMISSIONS } from '#lib/core/lesson-library.ts';
import { LESSON_KINDS, LESSON_STATUSES, RECALL_EFFECTS } from '#lib/core/lesson-schema.ts';
import { critiqueRecordSchema, type RunRecord } from '#lib/core/run-record.ts';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { type ExperimentSettings, modelFor } from '#lib/core/settings.ts';
import { spendFields } from '#lib/core/token-usage.ts';

/** The provider that the models of imported runs stand under: there is none of this name, so nothing can be asked of it. */
export const IMPORTED_PROVIDER = 'imported';

/** What the one criterion of runs that another system scored says of itself. */
export const SCORED_ELSEWHERE = 'Scored where the runs come from';

/** Whether a criterion only stands for how another system scored its runs: no person is asked for it, though it is of their kind. */
export function isScoredElsewhere(criterion: Pick<Criterion, 'evaluator'> & { config?: unknown }): boolean {
  const { evaluator, config } = criterion;
  if (evaluator !== 'human' || typeof config !== 'object' || config === null) return false;
  return 'question' in config && config.question === SCORED_ELSEWHERE;
}

/** Whether the model that writes an experiment's outputs judges them too: such scores are marked wherever they are shown. */
export function isSelfJudged(settings: ExperimentSettings): boolean {
  const judge = modelFor(settings, 'evaluate');
  const { provider, model } = settings.generator;
  return settings.criteria.some(isJudgedByModel) && judge.provider === provider && judge.model === model;
}

/** A run whose input or outputs hold what was looked for, and where. */
export const outputHitSchema = z.object({
  runId: z.guid(),
  number: z.int(),
  experimentId: z.guid(),
  experimentName: z.string(),
  input: z.string().meta({ description: 'Its first 200 characters.' }),
  status: z.enum(RUN_STATUSES),
  success: z.boolean(),
  bestScore: z.number().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  version: z
    .int()
    .nullable()
    .meta({ description: 'The version whose output contains the snippet. Null: the snippet is from the input.' }),
  snippet: z.object({
    text: z.string().meta({ description: 'As it is stored, never markup.' }),
    marks: z
      .array(z.tuple([z.int(), z.int()]))
      .meta({ description: 'Positions of the matched words in the snippet: from and to, in UTF-16 units.' }),
  }),
});
export type OutputHit = z.infer<typeof outputHitSchema>;

/** The longest output that a person may write, in characters (UTF-16 units). */
export const LONGEST_OUTPUT = 2_000_000;

/** Why a run does not go on just now. */
const QUEUE_REASONS = [
  'no_worker',
  'slots_full',
  'earlier_runs',
  'tried_again',
  'budget',
  'provider_slots',
  'batch_held',
  'provider_rate',
  'begins',
] as const;

const queueReasonSchema = z.object({
  kind: z.enum(QUEUE_REASONS),
  message: z.string(),
  until: z.iso.datetime().nullable().meta({ description: 'When the reason ends, if that is known.' }),
});
export type QueueReason = z.infer<typeof queueReasonSchema>;

/** Where a run stands in the queue and what it waits for; no reasons where it waits for no worker and no model. */
export const queuePlaceSchema = z.object({
  status: z.enum(RUN_STATUSES),
  ahead: z.int().nullable().meta({ description: 'Runs that start before this one. Null if it is not queued.' }),
  reasons: z.array(queueReasonSchema),
});
export type QueuePlace = z.infer<typeof queuePlaceSchema>;

/**
 * The number of the version that is a run's result: the accepted one, else the best. Null where nobody accepted one and none was scored;
 * the final version is then only the last.
 */
export function resultVersion({
  convergenceReason,
  finalVersion,
  bestVersion,
}: Pick<RunRecord, 'convergenceReason' | 'finalVersion' | 'bestVersion'>): number | null {
  return convergenceReason === 'user_accepted' ? finalVersion : bestVersion;
}

const status = z.enum(LESSON_STATUSES);
const kind = z.enum(LESSON_KINDS);

/** The lessons of a run: those in the prompts of its versions, and those it wrote, as they stand in the library now. */
export const runLessonsSchema = z.object({
  recalled: z.array(
    z.object({
      version: z.int(),
      rank: z.int(),
      lessonId: z.string(),
      kind,
      text: z.string().meta({ description: 'The text that was in the prompt, even if the lesson was edited later.' }),
      status,
      score: z
        .number()
        .nullable()
        .meta({ description: 'How well the lesson matched, from 0 to 1. Null if it was not recalled by a match.' }),
      effect: z.enum(RECALL_EFFECTS).nullable().meta({ description: 'What the evaluation of the version says of it.' }),
      isOwn: z.boolean().meta({ description: 'The run wrote it itself.' }),
    }),
  ),
  written: z.array(
    z.object({
      id: z.string(),
      kind,
      status,
      admission: z.enum(LESSON_ADMISSIONS),
      mergedIntoId: z.string().nullable(),
      version: z.int().nullable(),
      text: z.string(),
    }),
  ),
});
export type RunLessons = z.infer<typeof runLessonsSchema>;

/**
 * A history without its texts: what `whatIf` needs of it, but for the outputs. Issues and answers stay, stop rules compare them; so do the
 * arguments of tools, by which an agent is seen to stall. Of a tuning run, which has no what if, cases and tries are left out.
 */
export function scoresOnly(stored: History): History {
  const history = withIssueIds(stored);
  return {
    ...history,
    cases: [],
    tries: [],
    versions: history.versions.map((version) => ({
      ...version,
      output: '',
      improvementsApplied: [],
      recalledLessons: [],
    })),
    evaluations: history.evaluations.map((evaluation) => ({
      ...evaluation,
      reasons: {},
      suggestions: [],
      feedback: '',
      detail: '',
    })),
    critiques: history.critiques.map((critique) => ({
      ...critique,
      text: '',
      issues: critique.issues.map((issue) => ({ ...issue, text: '' })),
      suggestions: [],
    })),
    lessons: history.lessons.map((lesson) => ({ ...lesson, text: '', fields: {} })),
    turns: history.turns.map((turn) => ({ ...turn, thought: '', answer: turn.answer === null ? null : '' })),
    observations: history.observations.map((observation) => ({ ...observation, text: '' })),
  };
}

/** The history with its outputs put back, by the number of the version. */
export function withOutputs(history: History, versions: readonly { number: number; output: string }[]): History {
  const outputs = new Map(versions.map(({ number, output }) => [number, output]));
  return {
    ...history,
    versions: history.versions.map((version) => ({ ...version, output: outputs.get(version.number) ?? '' })),
  };
}

/** What is to be stopped; those that wait for a person cost nothing, so they are left unless asked for. */
export const stopAllInputSchema = z.strictObject({
  waiting: z.boolean().default(false).meta({ description: 'Also the runs that wait for a person.' }),
});

/** The last time that everything was stopped, and how far that is. */
export const stopAllStateSchema = z.object({
  askedBy: z.string(),
  askedAt: z.iso.datetime(),
  waiting: z.boolean(),
  total: z.int().meta({ description: 'Runs that the stop request covers.' }),
  stopped: z.int(),
  doneAt: z.iso.datetime().nullable().meta({ description: 'Null while it is in progress.' }),
});
export type StopAllState = z.infer<typeof stopAllStateSchema>;

/** Runs that are not over, by what they do. */
export type UnfinishedCounts = { queued: number; running: number; waiting: number };

const score = z.number().min(0).max(1);

/** A case of a tuning run, as it was when the run was started; on the side it is on now. */
const runCaseRecordSchema = z.object({
  /** Counts from 0, in the order of the dataset. */
  position: z.int(),
  split: z.enum(SPLITS),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
});

/** What a version of a tuning run's prompt made of one case, and how that was scored. */
export const exampleScoreRecordSchema = z.object({
  version: z.int(),
  position: z.int(),
  /** Counts from 0: a case that could not be scored is tried once more; the last attempt counts. */
  attempt: z.int(),
  output: z.string(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']),
  score: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  satisfactory: z.boolean(),
  issues: critiqueRecordSchema.shape.issues,
  suggestions: z.array(z.string()),
  /** What models are told of it. Quotes the reference only where `tune.references` is on and the case is not held out. */
  feedback: z.string(),
  /** For people only. */
  detail: z.string(),
  /** Its replies were paid for before, by another run or in the playground: it cost nothing. */
  paidBefore: z.boolean(),
  createdAt: z.string(),
  ...spendFields,
});

/** A try in a list: with the case it was made on. */
export const listedTrySchema = exampleScoreRecordSchema.extend({ case: runCaseRecordSchema.omit({ position: true }) });
export type ListedTry = z.infer<typeof listedTrySchema>;

/** Characters of what a tool answered that a page is given before it asks for all. */
export const SHORT_TEXT = 1_000;

/** The run with the answers of tools cut to their beginnings, `length` says how much there is: hundreds of them are megabytes. */
export function withShortTexts(record: RunRecord): RunRecord {
  return {
    ...record,
    observations: record.observations.map((observation) => ({
      ...observation,
      text: observation.text.slice(0, SHORT_TEXT).toWellFormed(),
    })),
  };
}

/** The settings with only those criteria that are scored without a person: what can be scored again at any time. May be left with none. */
export function withoutPeople<Settings extends Pick<ExperimentSettings, 'criteria'>>(settings: Settings): Settings {
  return { ...settings, criteria: settings.criteria.filter(({ evaluator }) => evaluator !== 'human') };
}

/** What makes an attempt, in a few words: `one call`, `an agent with calculator, http_get`, `a supervisor of planner, solver`. */
export function agentBaseLabel(base: BaseSettings): string {
  switch (base.type) {
    case 'single':
      return 'one call';
    case 'react':
      return base.tools.length === 0 ? 'an agent without tools' : `an agent with ${base.tools.join(', ')}`;
    case 'supervisor':
      return `a supervisor of ${base.workers.map(({ name }) => name).join(', ')}`;
  }
}

/**
 * The version a model call was about: the one it made, tried, judged or reflected on. What came of a call of the open step is not saved
 * yet, so it goes by the call's role; null where there is no version it could be about.
 */
export function versionOfCall(history: History, call: { step: number; role: string }): number | null {
  const made = history.versions.find(({ step }) => step === call.step);
  if (made !== undefined) return made.number;
  const about = [history.turns, history.evaluations, history.critiques, history.lessons, history.tries]
    .flat()
    .find(({ step }) => step === call.step);
  if (about !== undefined) return about.version;
  if (call.role === 'generate' || call.role === 'revise' || call.role === 'turn') return history.versions.length;
  return history.versions.at(-1)?.number ?? null;
}
