import { z } from 'zod';
import { BASE_TYPES } from '#lib/core/agents/base-settings.ts';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import { MODES } from '#lib/core/setting-choices.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { runEstimateSchema } from '#lib/estimates/estimate-run.ts';
import { settingsWarningSchema } from '#lib/estimates/settings-contradictions.ts';
import { CONTROL_KINDS, EXPERIMENT_STATES, ORIGIN_CHOICES } from '#lib/experiments/schema.ts';
import { controlKindSchema, experimentOriginSchema } from '#lib/experiments/version-settings.ts';
import { component } from '#lib/http/define-route.ts';
import { count, id, page, scores, time } from '#lib/http/fields.ts';
import { pagedByTime } from '#lib/http/parameters.ts';
import { experimentFlagSchema } from '#lib/statistics/experiment-flags.ts';

/** Query parameters of each route, validated by readQuery and shown in the OpenAPI document. */
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
    .meta({ description: 'Name of the model that writes drafts and attempts.' }),
  models: z
    .enum(['real', 'practice'], { error: 'must be one of real, practice' })
    .optional()
    .meta({ description: '`practice`: experiments that use the practice model. `real`: experiments that do not.' }),
  origin: z.enum(ORIGIN_CHOICES, { error: `must be one of ${ORIGIN_CHOICES.join(', ')}` }).optional(),
  state: z.enum(EXPERIMENT_STATES, { error: `must be one of ${EXPERIMENT_STATES.join(', ')}` }).optional(),
});

const statistic = z.object({ mean: z.number(), n: count }).nullable();

const experimentRow = component(
  'ExperimentListItem',
  z.object({
    id,
    name: z.string(),
    sample: z.boolean(),
    origin: experimentOriginSchema,
    control: controlKindSchema.nullable(),
    mode: z.string(),
    base: z
      .enum(BASE_TYPES)
      .meta({ description: 'How an attempt is made: one call, an agent with tools, or a supervisor with workers.' }),
    models: z.array(z.string()),
    latestVersion: count,
    runCount: count,
    ended: count.meta({ description: 'Number of ended runs that have a score or that a person accepted.' }),
    unscored: count.meta({
      description: 'Number of ended runs without any score that no person accepted. `ended` does not include them.',
    }),
    solved: count,
    waiting: count.meta({ description: 'Runs that wait for a person.' }),
    underWay: count.meta({ description: 'Runs that are queued or running.' }),
    flag: experimentFlagSchema.shape.flag.nullable(),
    dataset: z.string().nullable().meta({ description: 'Dataset of the newest batch.' }),
    mayRepeatCases: z
      .boolean()
      .meta({ description: 'True if several runs may use the same case. Such runs are not independent.' }),
    firstScore: statistic,
    bestScore: statistic,
    costUsd: z.number(),
    unpriced: z.boolean(),
    costPerPointUsd: z
      .number()
      .nullable()
      .meta({ description: 'Cost of a gain of 0.10 in score. Null if there was no gain.' }),
    qualityThreshold: z.number(),
    lastRunAt: time.nullable(),
    practice: z.boolean(),
    selfJudged: z.boolean().meta({ description: 'True if a model that writes outputs also judges them.' }),
    recentScores: scores,
    meanScores: scores.meta({
      description: 'Mean score of each version, over the newest ended runs of the latest settings.',
    }),
    createdAt: time,
  }),
);

export const experimentsSchema = component('Experiments', page(experimentRow));

export const createdSchema = component(
  'Created',
  z.object({
    id,
    version: count,
    warnings: z
      .array(settingsWarningSchema)
      .optional()
      .meta({ description: 'Settings that contradict each other. Omitted if there are none.' }),
  }),
);

export const experimentSchema = component(
  'Experiment',
  z.object({
    id,
    name: z.string(),
    sample: z.boolean(),
    origin: experimentOriginSchema,
    control: controlKindSchema
      .nullable()
      .meta({ description: 'Kind of control. Null if the experiment is not a control.' }),
    parent: z
      .object({ id, name: z.string(), version: count })
      .nullable()
      .meta({ description: 'Experiment and version that this experiment duplicates or is a control of.' }),
    controls: z
      .array(z.object({ id, name: z.string(), control: controlKindSchema, parentVersion: count.nullable() }))
      .meta({ description: 'Controls of the experiment, newest first.' }),
    latestVersion: count,
    createdAt: time,
    updatedAt: time,
    settings: component('Settings', settingsSchema),
    versions: z
      .array(
        z.object({ version: count, createdAt: time, actor: z.string().nullable(), message: z.string().nullable() }),
      )
      .meta({ description: 'Versions of the settings, newest first, with author and message.' }),
    batches: z
      .array(
        z.object({
          id,
          total: count,
          repetitions: count,
          createdAt: time,
          experimentVersion: count,
          isBranch: z.boolean(),
          source: z.enum(['started', 'imported']),
          dataset: z.object({ id, name: z.string(), version: count.nullable() }).nullable(),
        }),
      )
      .meta({ description: 'The newest 20 batches.' }),
    flags: z.array(component('ExperimentFlag', experimentFlagSchema)).meta({
      description:
        'Warnings from the ended runs of the latest version: criteria seem too hard or too easy, or runs cannot be scored.',
    }),
  }),
);

export const startedSchema = component('Started', z.object({ batchId: id, runIds: z.array(id) }));

export const startedControlSchema = component(
  'StartedControl',
  z.object({
    experimentId: id,
    batchId: id,
    name: z.string(),
    runs: count,
    arms: z
      .array(z.string())
      .length(2)
      .meta({ description: 'The two experiments in the form that GET /compare takes.' }),
  }),
);

export const controlEstimateSchema = component(
  'ControlEstimate',
  z.object({
    name: z.string(),
    control: z.enum(CONTROL_KINDS),
    budget: z.object({ maxTokens: count.nullable(), maxCostUsd: z.number().nullable() }).nullable().meta({
      description: 'Budget of one run of the control: the highest use by a run of the batch. Null: no limit.',
    }),
    temperature: z.object({
      value: z.number().nullable(),
      raised: z.boolean().meta({
        description:
          'True if Hone raises the temperature, because the temperature of the experiment would make all drafts the same.',
      }),
    }),
    estimate: component('RunEstimate', runEstimateSchema),
  }),
);

/** `limit` as in lists. There is no cursor, because judged pairs are not returned again. */
export const blindPairsQuery = z.strictObject({ limit: pagedByTime.limit });

export const blindPairsSchema = component(
  'BlindPairs',
  z.object({
    items: z.array(
      z.object({
        pair: z.string().meta({ description: 'Opaque id of the pair. Send it back with the preference.' }),
        task: z.string(),
        messages: chatMessagesSchema.nullable().meta({ description: 'The task as messages, if it is a conversation.' }),
        left: z.string(),
        right: z.string(),
      }),
    ),
    judged: count.meta({ description: 'Number of pairs that the caller has judged.' }),
    remaining: count.meta({
      description: 'Number of pairs that the caller can still judge, including the pairs in `items`.',
    }),
  }),
);

export const judgedSchema = component('Judged', z.object({ judged: count }));
