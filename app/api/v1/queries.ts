import { z } from 'zod';
import { cleanText } from '#lib/db/clean-text.ts';
import { armNameSchema, armNamesSchema } from '#lib/measures/arm-name.ts';
import { CASE_CHANGES } from '#lib/measures/case-change.ts';
import { COMPARED_METRICS } from '#lib/measures/paired-verdict.ts';
import { RUN_READINGS } from '#lib/measures/run-readings.ts';
import { EXPERIMENT_STATES, ORIGIN_CHOICES } from '#lib/reflection/experiment-list.ts';
import { STOP_REASONS } from '#lib/reflection/history.ts';
import { INBOX_SCOPES, WAITING_KINDS } from '#lib/reflection/inbox-item.ts';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/reflection/lesson-kinds.ts';
import { LESSON_SCOPE_PARTS, LESSON_SELECTIONS, type LessonScopePart } from '#lib/reflection/lesson-library.ts';
import { RUN_STATUSES } from '#lib/reflection/run-record.ts';
import { MODES } from '#lib/reflection/settings.ts';
import { formatTaskType } from '#lib/reflection/task-type.ts';
import { INSIGHT_DAYS, INSIGHT_MODELS } from '#lib/runs/insight-scope.ts';
import { pagedByCase, pagedByMoment, pagedByNumber, pagedByTime, pagedByTimeAndName } from './read-query.ts';

/** The query parameters of each route that takes some: what readQuery checks and the OpenAPI document shows. */
export const experimentsQuery = z.strictObject({
  ...pagedByTime,
  search: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .transform(cleanText)
    .optional(),
  mode: z.enum(MODES, { error: `must be one of ${MODES.join(', ')}` }).optional(),
  model: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'What the model that drafts is called.' }),
  models: z
    .enum(['real', 'practice'], { error: 'must be one of real, practice' })
    .optional()
    .meta({ description: 'Whether the practice model plays a part.' }),
  origin: z.enum(ORIGIN_CHOICES, { error: `must be one of ${ORIGIN_CHOICES.join(', ')}` }).optional(),
  state: z.enum(EXPERIMENT_STATES, { error: `must be one of ${EXPERIMENT_STATES.join(', ')}` }).optional(),
});

const id = z.guid({ error: 'must be an id' }).toLowerCase().optional();

const insightScopeQuery = {
  models: z
    .enum(INSIGHT_MODELS, { error: `must be one of ${INSIGHT_MODELS.join(', ')}` })
    .optional()
    .meta({ description: 'Whose runs; where it is left out, those of real models if there are any.' }),
  days: z
    .enum(['7', '30', '90'], { error: 'must be one of 7, 30, 90' })
    .optional()
    .transform((days) => INSIGHT_DAYS.find((count) => String(count) === days))
    .meta({ description: 'Only runs that ended in the last so many days.' }),
};

export const runsQuery = z.strictObject({
  ...pagedByNumber,
  experimentId: id,
  batchId: id,
  status: z.enum(RUN_STATUSES, { error: `must be one of ${RUN_STATUSES.join(', ')}` }).optional(),
  version: z
    .string({ error: 'must be given once' })
    .regex(/^[1-9]\d{0,6}$/, { error: 'must be a version of the settings, from 1' })
    .meta({ type: 'integer', minimum: 1, description: 'Of the experiment’s settings.' })
    .transform(Number)
    .optional(),
  reason: z
    .enum(STOP_REASONS, { error: `must be one of ${STOP_REASONS.join(', ')}` })
    .optional()
    .meta({ description: 'What ended them.' }),
  reading: z
    .enum(RUN_READINGS, { error: `must be one of ${RUN_READINGS.join(', ')}` })
    .optional()
    .meta({
      description:
        'Ended runs that meet or miss a target of the insights, or whose judge was right or wrong: those of each experiment’s newest settings with ended runs. Goes with experimentId, models and days alone.',
    }),
  ...insightScopeQuery,
});

export const reviewersQuery = z.strictObject({ experimentId: id });
export const insightsQuery = z.strictObject({ experimentId: id, ...insightScopeQuery });

/** `dryRun`: everything is checked and told, nothing is stored. */
export const runsImportQuery = z.strictObject({
  name: z
    .string({ error: 'must be given once' })
    .transform(cleanText)
    .optional()
    .meta({ description: 'Name of the experiment that the runs come to; else what the lines say.' }),
  dryRun: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Only tells what would be stored, and what is wrong.' }),
  solvedFrom: z
    .string({ error: 'must be given once' })
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, { error: 'must be a number from 0 to 1' })
    .meta({
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The score from which an attempt that does not say so itself counts as solved.',
    })
    .transform(Number)
    .default(0.8),
});

export const runsExportQuery = z.strictObject({
  experimentId: z.guid({ error: 'must be the id of an experiment' }).toLowerCase(),
  format: z
    .enum(['jsonl', 'runs', 'versions'], { error: 'must be one of jsonl, runs, versions' })
    .default('jsonl')
    .meta({
      description:
        'jsonl: whole histories, an attempt a line, as the import takes them; runs, versions: tables as CSV.',
    }),
});

export const triesQuery = z.strictObject({
  ...pagedByCase,
  version: z
    .string({ error: 'must be given once' })
    .regex(/^\d{1,6}$/, { error: 'must be the number of a version' })
    .meta({ type: 'integer', minimum: 0 })
    .transform(Number)
    .optional(),
});

export const runQuery = z.strictObject({
  texts: z.enum(['whole', 'short'], { error: 'must be whole or short' }).default('whole').meta({
    description: 'short: of what tools answered only the first 1,000 characters; length tells how much there is.',
  }),
});

export const callsQuery = z.strictObject({
  ...pagedByNumber,
  role: z
    .string({ error: 'must be given once' })
    .regex(/^[a-z_]{1,30}$/, { error: 'must be the role of a call, for example generate' })
    .optional(),
  version: triesQuery.shape.version,
  failed: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .transform((text) => text === 'true')
    .meta({ description: 'Only calls that failed.' }),
});

const windowId = z
  .uuid({ error: 'must be an id that the window keeps' })
  .toLowerCase()
  .meta({ description: 'An id that a window of the browser gave itself: tells one person’s windows apart.' });

export const inboxQuery = z.strictObject({
  ...pagedByMoment,
  experimentId: id,
  kind: z.enum(WAITING_KINDS, { error: `must be one of ${WAITING_KINDS.join(', ')}` }).optional(),
  scope: z
    .enum(INBOX_SCOPES, { error: `must be one of ${INBOX_SCOPES.join(', ')}` })
    .default('all')
    .meta({
      description:
        'free: what nobody else is on; mine: what this window is on; assigned: what you were asked to look at.',
    }),
  window: windowId.optional(),
});

export const claimQuery = z.strictObject({ window: windowId });

const lessonKind = z.enum(LESSON_KINDS, { error: `must be one of ${LESSON_KINDS.join(', ')}` }).optional();
const lessonStatus = z.enum(LESSON_STATUSES, { error: `must be one of ${LESSON_STATUSES.join(', ')}` }).optional();
const archiveYear = z
  .string({ error: 'must be given once' })
  .regex(/^\d{4}$/, { error: 'must be a year such as 2025' })
  .transform(Number)
  .optional()
  .meta({ description: 'Only archived lessons of this yearly archive: those that were written in the year, UTC.' });
const SCOPE = `must be agent:, taskType: or tool: and a name, such as taskType:code`;

export const lessonsQuery = z.strictObject({
  ...pagedByTime,
  query: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .transform(cleanText)
    .default('')
    .meta({ description: 'Beginnings of words that the lesson, or the input it was learned from, holds all of.' }),
  kind: lessonKind,
  status: lessonStatus,
  year: archiveYear,
  scope: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .transform((text, context) => readScope(text) ?? refuse(context, SCOPE))
    .optional()
    .meta({
      description:
        'Lessons meant for this agent, type of task or tool, such as taskType:code; agent:* for those for all agents.',
    }),
  only: z
    .enum(LESSON_SELECTIONS, { error: `must be one of ${LESSON_SELECTIONS.join(', ')}` })
    .optional()
    .meta({
      description:
        'review: waits for a verdict; of these, held: the screening found something, clear: it did not, assigned: you were asked to look at it; refuted: promoted, and did more harm than good.',
    }),
});

export const lessonsExportQuery = z.strictObject({
  format: z
    .enum(['markdown', 'jsonl'], { error: 'must be one of markdown, jsonl' })
    .meta({ description: 'markdown: a tar with a file for each lesson; jsonl: a lesson a line.' }),
  kind: lessonKind,
  status: lessonStatus,
  year: archiveYear,
});

function readScope(text: string): { by: LessonScopePart; value: string } | null {
  const [, name, value] = /^(\w+):(.+)$/s.exec(cleanText(text)) ?? [];
  const by = LESSON_SCOPE_PARTS.find((part) => part === name);
  if (by === undefined || value === undefined) return null;
  return { by, value: by === 'taskType' ? formatTaskType(value) : value };
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

export const promptsQuery = z.strictObject({
  ...pagedByTimeAndName,
  search: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .transform(cleanText)
    .optional()
    .meta({ description: 'A part of the name.' }),
});

const VERSION = 'must be the number of a version, from 1';

export const promptTextQuery = z.strictObject({
  label: z.string({ error: 'must be given once' }).transform(cleanText).optional().meta({
    description: 'The version that has this label, such as production; without label and version the newest.',
  }),
  version: z
    .string({ error: 'must be given once' })
    .regex(/^[1-9]\d{0,6}$/, { error: VERSION })
    .meta({ type: 'integer', minimum: 1 })
    .transform(Number)
    .optional(),
});

/** `limit` as in lists; there is no cursor: what was judged does not come again. */
export const blindPairsQuery = z.strictObject({ limit: pagedByTime.limit });

export const providerTestQuery = z.strictObject({
  model: z
    .string()
    .trim()
    .min(1, { error: 'must name a model' })
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Also really ask this model two small things, which costs some tokens.' }),
  temperature: z
    .string({ error: 'must be given once' })
    .regex(/^\d(\.\d{1,6})?$/, { error: 'must be a number from 0 to 2' })
    .optional()
    .transform((text) => (text === undefined ? undefined : Number(text)))
    .meta({ description: 'Temperature to ask it with; left out: the one that experiments ask it with, if any.' }),
});

export const deleteProviderQuery = z.strictObject({
  evenInUse: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Also one that experiments or prompts name; without it the answer tells which do.' }),
});

export const deleteWebhookQuery = z.strictObject({
  evenInUse: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Also one that experiments name; without it the answer tells which do.' }),
});

export const deliveriesQuery = z.strictObject(pagedByTime);

export const notesQuery = z.strictObject(pagedByTime);

export const searchQuery = z.strictObject({
  ...pagedByNumber,
  q: z
    .string({ error: 'must be given once' })
    .max(200, { error: 'must be at most 200 characters' })
    .transform(cleanText)
    .meta({ description: 'Beginnings of words that the input and the outputs of a run hold all of.' }),
  experimentId: id,
});

export const eventsQuery = z.strictObject({
  lastEventId: z
    .string({ error: 'must be given once' })
    .optional()
    .meta({ description: 'As the header Last-Event-ID, which goes before it.' }),
});

export const leaveDraftQuery = z.strictObject({
  since: z.iso
    .datetime({ error: 'must be the moment at which the draft was last kept' })
    .meta({ description: 'When the draft was last kept: one that was changed since stays.' }),
});

const compared = {
  experimentIds: armNamesSchema.meta({
    description:
      'Two to five experiments, separated by commas, each as its id or as id@version; without a version the latest settings that have ended runs.',
  }),
  baseline: armNameSchema.optional().meta({ description: 'One of them; the first where it is left out.' }),
};

const comparedBy = z
  .enum(COMPARED_METRICS, { error: `must be one of ${COMPARED_METRICS.join(', ')}` })
  .optional()
  .meta({
    description:
      'What better, worse and same go by: the mean best score, or the share of runs solved; the one that says more where it is left out.',
  });

export const compareQuery = z.strictObject({
  ...pagedByNumber,
  ...compared,
  metric: comparedBy,
  show: z
    .enum(CASE_CHANGES, { error: `must be one of ${CASE_CHANGES.join(', ')}` })
    .optional()
    .meta({ description: 'Only cases on which the arm came out so against the baseline, the largest change first.' }),
  arm: armNameSchema
    .optional()
    .meta({ description: 'Whose cases `show` means; the first after the baseline where it is left out.' }),
});

export const comparedCaseQuery = z.strictObject(compared);

export const comparisonExportQuery = z.strictObject({ ...compared, metric: comparedBy });
