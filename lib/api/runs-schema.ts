import { z } from 'zod';
import { critiqueRecordSchema, decisionRecordSchema, runRecordSchema } from '#lib/core/run-record.ts';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { DEFAULT_SOLVED_FROM } from '#lib/exchange/schema.ts';
import { component } from '#lib/http/define-route.ts';
import { count, id, page } from '#lib/http/fields.ts';
import { optionalId, pagedByCase, pagedByNumber, queryFlag, queryText, searchText } from '#lib/http/parameters.ts';
import { INSIGHT_DAYS, INSIGHT_MODELS } from '#lib/insights/find-insights.ts';
import { retrospectiveSchema } from '#lib/lessons/retrospectives/retrospectives.ts';
import { batchViewSchema } from '#lib/runs/batches.ts';
import { callSummarySchema } from '#lib/runs/call-schema.ts';
import { runListItemSchema } from '#lib/runs/list-runs.ts';
import { listedTrySchema, outputHitSchema, queuePlaceSchema, stopAllStateSchema } from '#lib/runs/schema.ts';
import { batchReportSchema } from '#lib/statistics/batch-report.ts';
import { rescoreReportSchema } from '#lib/statistics/rescore-report.ts';
import { RUN_READINGS } from '#lib/statistics/run-readings.ts';
import { timeLeftSchema } from '#lib/statistics/time-left.ts';
import { tuningSummarySchema } from '#lib/statistics/tuning-summary.ts';

export const searchQuery = z.strictObject({
  ...pagedByNumber,
  q: searchText.meta({
    description: 'Words or beginnings of words. All of them must occur in the input or outputs of a run.',
  }),
  experimentId: optionalId,
});

export const outputHitsSchema = component(
  'OutputHits',
  page(component('OutputHit', outputHitSchema)).extend({
    isIndexing: z.boolean().meta({ description: 'Some ended runs are not searchable yet.' }),
  }),
);

export const batchSchema = component(
  'Batch',
  batchViewSchema.extend({
    report: component('BatchReport', batchReportSchema),
    timeLeft: timeLeftSchema.nullable().meta({
      description:
        'Estimated remaining time with 95% confidence, from the pace of the last runs. Null if too few runs have ended.',
    }),
  }),
);

export const stoppedBatchSchema = component('StoppedBatch', z.object({ stopped: count }));

export const resumedBatchSchema = component('ResumedBatch', z.object({ resumed: count }));

export const insightScopeQuery = {
  models: choiceOf(INSIGHT_MODELS)
    .optional()
    .meta({ description: 'Which models. Default: real models if any have runs.' }),
  days: z
    .enum(['7', '30', '90'], { error: 'must be one of 7, 30, 90' })
    .optional()
    .transform((days) => INSIGHT_DAYS.find((count) => String(count) === days))
    .meta({ description: 'Only runs that ended in the last 7, 30 or 90 days.' }),
};

export const runsQuery = z.strictObject({
  ...pagedByNumber,
  experimentId: optionalId,
  batchId: optionalId,
  status: choiceOf(RUN_STATUSES).optional(),
  version: queryText
    .regex(/^[1-9]\d{0,6}$/, { error: 'must be a version of the settings, from 1' })
    .meta({ type: 'integer', minimum: 1, description: 'Version of the settings of the experiment.' })
    .transform(Number)
    .optional(),
  reason: choiceOf(STOP_REASONS).optional().meta({ description: 'Stop reason of the runs.' }),
  reading: choiceOf(RUN_READINGS).optional().meta({
    description:
      'Ended runs that meet or miss a target of the insights, or whose judge was right or wrong. Covers the newest settings of each experiment that have ended runs. Can only be combined with experimentId, models and days.',
  }),
  ...insightScopeQuery,
});

export const runsSchema = component('Runs', page(component('RunListItem', runListItemSchema)));

/** `dryRun`: validates and reports everything but stores nothing. */
export const runsImportQuery = z.strictObject({
  name: queryText
    .transform(cleanText)
    .optional()
    .meta({ description: 'Name of the experiment to import the runs into. Default: the name in the file.' }),
  dryRun: queryFlag.meta({ description: 'Only reports what would be stored, and all errors.' }),
  solvedFrom: queryText
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, { error: 'must be a number from 0 to 1' })
    .meta({
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'Minimum score of a solved attempt. Only used for attempts without `solved`.',
    })
    .transform(Number)
    .default(DEFAULT_SOLVED_FROM),
});

export const runsExportQuery = z.strictObject({
  experimentId: z.guid({ error: 'must be the id of an experiment' }).toLowerCase(),
  format: z
    .enum(['jsonl', 'runs', 'versions'], { error: 'must be one of jsonl, runs, versions' })
    .default('jsonl')
    .meta({
      description:
        '`jsonl`: whole histories, one attempt per line, ready to import. `runs` and `versions`: tables as CSV.',
    }),
});

export const runQuery = z.strictObject({
  texts: z.enum(['whole', 'short'], { error: 'must be whole or short' }).default('whole').meta({
    description: '`short` returns only the first 1,000 characters of each tool result. `length` is the full length.',
  }),
});

export const runSchema = component(
  'Run',
  runRecordSchema.extend({
    tuning: tuningSummarySchema
      .nullable()
      .meta({ description: 'Scores of the prompts on the cases. Null if the run does not tune a prompt.' }),
  }),
);

export const eventsQuery = z.strictObject({
  lastEventId: queryText.optional().meta({ description: 'Same as the header Last-Event-ID, which takes priority.' }),
});

export const triesQuery = z.strictObject({
  ...pagedByCase,
  version: queryText
    .regex(/^\d{1,6}$/, { error: 'must be the number of a version' })
    .meta({ type: 'integer', minimum: 0 })
    .transform(Number)
    .optional(),
  include: z
    .enum(['trace'], { error: 'must be trace' })
    .optional()
    .meta({ description: 'Set to `trace` to get the traces too.' }),
});

export const callsQuery = z.strictObject({
  ...pagedByNumber,
  role: queryText.regex(/^[a-z_]{1,30}$/, { error: 'must be the role of a call, for example generate' }).optional(),
  version: triesQuery.shape.version,
  failed: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .optional()
    .transform((text) => text === 'true')
    .meta({ description: 'Only calls that failed.' }),
});

export const callsSchema = component('Calls', page(component('CallSummary', callSummarySchema)));

export const triesSchema = component('Tries', page(component('ExampleScore', listedTrySchema)));

export const decidedSchema = component('Decided', z.object({ decision: decisionRecordSchema }));

export const branchedSchema = component('Branched', z.object({ batchId: id, runId: id }));

export const reflectedSchema = component('Reflected', z.object({ version: count, critique: critiqueRecordSchema }));

export const rescoresSchema = component(
  'Rescores',
  z.object({ items: z.array(component('RescoreReport', rescoreReportSchema)) }),
);

export const retrospectivesSchema = component(
  'Retrospectives',
  z.object({ items: z.array(component('Retrospective', retrospectiveSchema)) }),
);

export const lastStopAllSchema = component(
  'LastStopAll',
  z.object({ last: component('StopAll', stopAllStateSchema).nullable() }),
);

export const batchQueueSchema = component(
  'BatchQueue',
  z.object({ queued: count, first: component('QueuePlace', queuePlaceSchema).nullable() }),
);

export const statusSchema = component('Status', z.object({ status: z.enum(RUN_STATUSES) }));
