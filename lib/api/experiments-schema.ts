import { z } from 'zod';
import { BASE_TYPES } from '#lib/core/agents/base-settings.ts';
import { chatMessagesSchema } from '#lib/core/chat/chat-message.ts';
import { MODES } from '#lib/core/modes.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { runEstimateSchema } from '#lib/estimates/run-estimate.ts';
import { settingsWarningSchema } from '#lib/estimates/settings-contradictions.ts';
import { controlKindSchema, experimentOriginSchema } from '#lib/experiments/origin-schemas.ts';
import { CONTROL_KINDS, EXPERIMENT_STATES, ORIGIN_CHOICES } from '#lib/experiments/schema.ts';
import { component } from '#lib/http/define-route.ts';
import { count, id, page, scores, time } from '#lib/http/fields.ts';
import { pagedByTime } from '#lib/http/read-query.ts';
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
    .meta({ description: 'What the model that drafts is called.' }),
  models: z
    .enum(['real', 'practice'], { error: 'must be one of real, practice' })
    .optional()
    .meta({ description: 'Whether the practice model plays a part.' }),
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
    base: z.enum(BASE_TYPES).meta({ description: 'The base that makes attempts.' }),
    models: z.array(z.string()),
    latestVersion: count,
    runCount: count,
    ended: count.meta({ description: 'Without runs that have no score and were not accepted by a person.' }),
    unscored: count.meta({ description: 'Ended runs that do not count.' }),
    solved: count,
    waiting: count.meta({ description: 'Runs that wait for a person.' }),
    underWay: count.meta({ description: 'Runs that are queued or running.' }),
    flag: experimentFlagSchema.shape.flag.nullable(),
    dataset: z.string().nullable().meta({ description: 'What its newest batch ran over.' }),
    mayRepeatCases: z
      .boolean()
      .meta({ description: 'Several runs may be of one case, so they are not independent of each other.' }),
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
    selfJudged: z.boolean().meta({ description: 'A model that writes its outputs judges them too.' }),
    recentScores: scores,
    meanScores: scores.meta({ description: 'The mean by version, of the newest ended runs of the latest settings.' }),
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
      .meta({ description: 'Settings that contradict each other. Left out if there are none.' }),
  }),
);

export const experimentSchema = component(
  'Experiment',
  z.object({
    id,
    name: z.string(),
    sample: z.boolean(),
    origin: experimentOriginSchema,
    control: controlKindSchema.nullable().meta({ description: 'Of a control: what it changes.' }),
    parent: z
      .object({ id, name: z.string(), version: count })
      .nullable()
      .meta({ description: 'What it is a duplicate or a control of.' }),
    controls: z
      .array(z.object({ id, name: z.string(), control: controlKindSchema, parentVersion: count.nullable() }))
      .meta({ description: 'Its controls, the newest first.' }),
    latestVersion: count,
    createdAt: time,
    updatedAt: time,
    settings: component('Settings', settingsSchema),
    versions: z
      .array(
        z.object({ version: count, createdAt: time, actor: z.string().nullable(), message: z.string().nullable() }),
      )
      .meta({ description: 'Newest first, each with its author and message.' }),
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
      .meta({ description: 'The newest 20.' }),
    flags: z.array(component('ExperimentFlag', experimentFlagSchema)).meta({
      description:
        'Whether its criteria seem too hard or too easy, or its runs can’t be scored, by the ended runs of its latest version.',
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
    arms: z.array(z.string()).length(2).meta({ description: 'What GET /compare names the two by.' }),
  }),
);

export const controlEstimateSchema = component(
  'ControlEstimate',
  z.object({
    name: z.string(),
    control: z.enum(CONTROL_KINDS),
    budget: z
      .object({ maxTokens: count.nullable(), maxCostUsd: z.number().nullable() })
      .nullable()
      .meta({ description: 'Budget of one run: the most that a run of the batch spent. Null if nothing is capped.' }),
    temperature: z.object({
      value: z.number().nullable(),
      raised: z
        .boolean()
        .meta({ description: 'True if the temperature of the experiment would make all drafts the same.' }),
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
    judged: count.meta({ description: 'Pairs that the caller has judged.' }),
    remaining: count.meta({ description: 'Pairs that the caller may yet judge, with these.' }),
  }),
);

export const judgedSchema = component('Judged', z.object({ judged: count }));
