import { z } from 'zod';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import { MODES } from '#lib/core/setting-choices.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { runEstimateSchema } from '#lib/estimates/estimate-run.ts';
import { settingsWarningSchema } from '#lib/estimates/settings-contradictions.ts';
import { experimentListItemSchema } from '#lib/experiments/list-experiments.ts';
import { experimentViewSchema } from '#lib/experiments/queries.ts';
import { CONTROL_KINDS, EXPERIMENT_STATES, ORIGIN_CHOICES } from '#lib/experiments/schema.ts';
import { component } from '#lib/http/define-route.ts';
import { count, id, page } from '#lib/http/fields.ts';
import { pagedByTime, queryText, searchText } from '#lib/http/parameters.ts';
import { experimentFlagSchema } from '#lib/statistics/experiment-flags.ts';

/** Query parameters of each route, validated by readQuery and shown in the OpenAPI document. */
export const experimentsQuery = z.strictObject({
  ...pagedByTime,
  search: searchText.optional(),
  mode: choiceOf(MODES).optional(),
  model: queryText
    .max(200, { error: 'must be at most 200 characters' })
    .optional()
    .meta({ description: 'Name of the model that writes drafts and attempts.' }),
  models: z
    .enum(['real', 'practice'], { error: 'must be one of real, practice' })
    .optional()
    .meta({ description: '`practice`: experiments that use the practice model. `real`: experiments that do not.' }),
  origin: choiceOf(ORIGIN_CHOICES).optional(),
  state: choiceOf(EXPERIMENT_STATES).optional(),
});

export const experimentsSchema = component(
  'Experiments',
  page(component('ExperimentListItem', experimentListItemSchema)),
);

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
  experimentViewSchema.extend({
    settings: component('Settings', settingsSchema),
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
