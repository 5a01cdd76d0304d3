import { currentHostRules, linkOrigin } from '#lib/auth/host-rules.ts';
import { recordExport } from '#lib/auth/record-change.ts';
import { draftEstimateSchema, estimateDraft, estimateInputSchema, estimateStart } from '#lib/batches/estimate-start.ts';
import {
  type PreviewEvent,
  planPreview,
  previewAnswer,
  previewEventSchema,
  previewInputSchema,
} from '#lib/batches/preview-answer.ts';
import { startBatch, startInputSchema } from '#lib/batches/start-batch.ts';
import { controlInputSchema, planControl, startControl } from '#lib/batches/start-control.ts';
import { triedCriterionSchema, tryCriterion, tryCriterionInputSchema } from '#lib/batches/try-criterion.ts';
import {
  findAgreement,
  findBlindPairs,
  preferenceInputSchema,
  savePreference,
} from '#lib/blind-review/blind-review.ts';
import { runsAtOnce } from '#lib/context/running-app.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { runEstimateSchema } from '#lib/estimates/estimate-run.ts';
import { createExperiment, newExperimentSchema } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { listExperiments } from '#lib/experiments/list-experiments.ts';
import { findExperiment, findExperimentFlags } from '#lib/experiments/queries.ts';
import { experimentChangeSchema, updateExperiment } from '#lib/experiments/update-experiment.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { idOf, notFound, orNotFound } from '#lib/http/parameters.ts';
import { lineStream } from '#lib/http/streams.ts';
import { exportReport } from '#lib/reports/export-report.ts';
import { judgeAgreementSchema } from '#lib/statistics/judge-agreement.ts';
import {
  blindPairsQuery,
  blindPairsSchema,
  controlEstimateSchema,
  createdSchema,
  experimentSchema,
  experimentsQuery,
  experimentsSchema,
  judgedSchema,
  startedControlSchema,
  startedSchema,
} from './experiments-schema.ts';

/** Timeout of the evaluator, in milliseconds. */
const LIMIT_MS = 180_000;

export const experimentRoutes = {
  listExperiments: defineRoute('GET /api/v1/experiments', {
    summary: 'List experiments, newest first',
    role: 'viewer',
    query: experimentsQuery,
    response: experimentsSchema,
    handle: async ({ context: { database }, query }) =>
      succeed(await listExperiments(database, { ...query, cursor: query.cursor ?? null })),
  }),
  createExperiment: defineRoute('POST /api/v1/experiments', {
    summary: 'Create an experiment',
    role: 'editor',
    audit: 'created',
    body: component('ExperimentInput', newExperimentSchema),
    status: 201,
    response: createdSchema,
    handle: async ({ context, actor, body }) => createExperiment(context, actor, body),
  }),
  /** A disconnecting client cancels the evaluator. */
  tryCriterion: defineRoute('POST /api/v1/experiments/try-criterion', {
    summary: 'Score an output by one criterion. Calls models, stores nothing',
    role: 'editor',
    limit: 'start',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    body: component('TryCriterionInput', tryCriterionInputSchema),
    response: component('TriedCriterion', triedCriterionSchema),
    handle: async ({ context, request, actor, body }) => {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LIMIT_MS)]);
      return tryCriterion(context, actor, body, signal);
    },
  }),
  /** A disconnecting client cancels the model call. */
  previewAnswer: defineRoute('POST /api/v1/experiments/preview', {
    summary: 'Stream a first draft for one case, one event per line. Only its cost is stored',
    role: 'editor',
    limit: 'start',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    body: component('PreviewInput', previewInputSchema),
    response: { types: ['application/x-ndjson'], line: component('PreviewEvent', previewEventSchema) },
    handle: async ({ context, request, body, watchAccess }) => {
      const plan = await planPreview(context, body);
      if (!plan.ok) return plan;
      return lineStream<PreviewEvent>((options) => previewAnswer(context, plan.value, options), {
        request,
        watchAccess,
      });
    },
  }),
  getExperiment: defineRoute('GET /api/v1/experiments/{id}', {
    summary: 'Get an experiment with its latest settings',
    role: 'viewer',
    params: { id: idOf('experiment') },
    response: experimentSchema,
    handle: async ({ context: { database }, params }) => {
      const experiment = await findExperiment(database, params.id);
      if (experiment === null) return notFound('experiment');
      const flags = await findExperimentFlags(database, experiment.id, experiment.latestVersion);
      return succeed({ ...experiment, flags });
    },
  }),
  updateExperiment: defineRoute('PATCH /api/v1/experiments/{id}', {
    summary: 'Change settings, as a new version',
    role: 'editor',
    audit: 'changed',
    params: { id: idOf('experiment') },
    body: component('ExperimentChange', experimentChangeSchema),
    response: createdSchema,
    handle: async ({ context, actor, params, body }) => updateExperiment(context, actor, params.id, body),
  }),
  deleteExperiment: defineRoute('DELETE /api/v1/experiments/{id}', {
    summary: 'Delete an experiment with its runs',
    role: 'editor',
    audit: 'deleted',
    params: { id: idOf('experiment') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deleteExperiment(context, actor, params.id),
  }),
  /** The same Idempotency-Key with the same body returns the batch that the first call started. */
  startRuns: defineRoute('POST /api/v1/experiments/{id}/runs', {
    summary: 'Start one run per case',
    role: 'editor',
    limit: 'start',
    audit: 'started',
    params: { id: idOf('experiment') },
    headers: [
      {
        name: 'Idempotency-Key',
        description: 'The same key with the same body returns the batch that the first call started.',
      },
    ],
    body: component('StartInput', startInputSchema),
    status: 201,
    response: startedSchema,
    handle: async ({ context, request, actor, params, body }) => {
      const idempotencyKey = readIdempotencyKey(request);
      if (!idempotencyKey.ok) return idempotencyKey;
      return startBatch(context, actor, params.id, body, {
        idempotencyKey: idempotencyKey.value,
        watched: false,
      });
    },
  }),
  estimateRuns: defineRoute('POST /api/v1/experiments/{id}/estimate', {
    summary: 'Estimate calls, tokens, cost and time of a batch',
    role: 'editor',
    limit: 'read',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    params: { id: idOf('experiment') },
    body: component('EstimateInput', estimateInputSchema),
    response: component('RunEstimate', runEstimateSchema),
    handle: async ({ context, params, body }) => estimateStart(context, params.id, body, runsAtOnce()),
  }),
  estimateDraft: defineRoute('POST /api/v1/experiments/estimate', {
    summary: 'Estimate a batch for settings that are not stored',
    role: 'editor',
    limit: 'read',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    body: component('DraftEstimateInput', draftEstimateSchema),
    response: component('RunEstimate', runEstimateSchema),
    handle: async ({ context, body }) => estimateDraft(context, body, runsAtOnce()),
  }),
  startControl: defineRoute('POST /api/v1/batches/{id}/controls', {
    summary: 'Run a control over the cases of a batch: fresh drafts at equal cost, or no lessons',
    role: 'editor',
    limit: 'start',
    audit: 'started',
    params: { id: idOf('batch') },
    body: component('ControlInput', controlInputSchema),
    status: 201,
    response: startedControlSchema,
    handle: async ({ context, actor, params, body }) => startControl(context, actor, params.id, body, runsAtOnce()),
  }),
  estimateControl: defineRoute('POST /api/v1/batches/{id}/controls/estimate', {
    summary: 'Estimate a control. Stores nothing',
    role: 'editor',
    limit: 'read',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    params: { id: idOf('batch') },
    body: component('ControlInput', controlInputSchema),
    response: controlEstimateSchema,
    handle: async ({ context, params, body }) => {
      const planned = await planControl(context, params.id, body, runsAtOnce());
      if (!planned.ok) return planned;
      const { name, control, budget, temperature, estimate } = planned.value;
      return succeed({ name, control, budget, temperature, estimate });
    },
  }),
  listBlindPairs: defineRoute('GET /api/v1/experiments/{id}/blind-pairs', {
    summary: 'List the next pairs of versions for a blind review',
    role: 'reviewer',
    params: { id: idOf('experiment') },
    query: blindPairsQuery,
    response: blindPairsSchema,
    handle: async ({ context, actor, params, query }) => findBlindPairs(context, actor, params.id, query.limit),
  }),
  savePreference: defineRoute('POST /api/v1/experiments/{id}/preferences', {
    summary: 'Say which version of a pair is better. The first answer counts',
    role: 'reviewer',
    audit: 'preferred',
    params: { id: idOf('experiment') },
    body: component('PreferenceInput', preferenceInputSchema),
    status: 201,
    response: judgedSchema,
    handle: async ({ context, actor, params, body }) => savePreference(context, actor, params.id, body),
  }),
  exportReport: defineRoute('GET /api/v1/experiments/{id}/report', {
    summary: 'Download a report of the ended runs as one HTML file',
    role: 'viewer',
    limit: 'read',
    audit: 'exported',
    params: { id: idOf('experiment') },
    response: { types: ['text/html'] },
    handle: async ({ context, request, actor, params }) => {
      const report = await exportReport(context, params.id, linkOrigin(request, currentHostRules()));
      if (!report.ok) return report;
      await recordExport(actor, { kind: 'experiment', id: params.id }, { what: 'report' });
      return downloadResponse(request, report.value);
    },
  }),
  getAgreement: defineRoute('GET /api/v1/experiments/{id}/agreement', {
    summary: 'Get how often the judge agrees with blind reviews',
    role: 'viewer',
    limit: 'read',
    params: { id: idOf('experiment') },
    response: component('Agreement', judgeAgreementSchema),
    handle: async ({ context: { database }, params }) =>
      orNotFound(await findAgreement(database, params.id), 'experiment'),
  }),
};

function readIdempotencyKey(request: Request): Result<string | null> {
  const key = request.headers.get('idempotency-key');
  if (key === null || /^[\x20-\x7e]{1,200}$/.test(key)) return succeed(key);
  return fail('invalid', 'Idempotency-Key must be 1 to 200 plain characters.', 'Idempotency-Key');
}
