import { z } from 'zod';
import { recordExport } from '#lib/auth/record-change.ts';
import { compareExperiments } from '#lib/compare/compare-experiments.ts';
import { exportComparison } from '#lib/compare/export-comparison.ts';
import { findComparedCase } from '#lib/compare/find-compared-case.ts';
import {
  armNameSchema,
  armNamesSchema,
  CASE_CHANGES,
  comparedCaseSchema,
  comparisonSchema,
} from '#lib/compare/schema.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { anyText, optionalId, pagedByNumber } from '#lib/http/parameters.ts';
import { findInsights, findTrends, insightScope } from '#lib/insights/find-insights.ts';
import { findReviewers } from '#lib/insights/queries.ts';
import { insightsSchema, reviewersSchema, trendsSchema } from '#lib/insights/schema.ts';
import { writeInsightsCsv } from '#lib/insights/write-insights-csv.ts';
import { COMPARED_METRICS } from '#lib/statistics/paired-verdict.ts';
import { insightScopeQuery } from './runs-schema.ts';

const insightsQuery = z.strictObject({ experimentId: optionalId, ...insightScopeQuery });

const reviewersQuery = z.strictObject({ experimentId: optionalId });

const compared = {
  experimentIds: armNamesSchema.meta({
    description:
      'Two to five experiments, comma-separated, each as its id or as id@version. Without a version: the latest settings with ended runs.',
  }),
  baseline: armNameSchema.optional().meta({ description: 'One of the experiments. Default: the first.' }),
};

const comparedBy = choiceOf(COMPARED_METRICS).optional().meta({
  description:
    'What `better`, `worse` and `same` compare: the mean best score, or the share of solved runs. Default: the metric that separates the experiments better.',
});

const compareQuery = z.strictObject({
  ...pagedByNumber,
  ...compared,
  metric: comparedBy,
  show: choiceOf(CASE_CHANGES)
    .optional()
    .meta({ description: 'Only cases with this outcome against the baseline, the largest change first.' }),
  arm: armNameSchema
    .optional()
    .meta({ description: 'The experiment whose cases `show` filters. Default: the first after the baseline.' }),
});

const comparisonExportQuery = z.strictObject({ ...compared, metric: comparedBy });

const comparedCaseQuery = z.strictObject(compared);

const CASE_KEY = /^[0-9a-f]{32}$/;

/** Returns the scope of the requested insights. */
async function scopeOf(
  { database, now: clock }: AppContext,
  { experimentId, models, days }: z.output<typeof insightsQuery>,
) {
  const now = clock();
  const filter = { experimentId: experimentId ?? null, models: models ?? null, days: days ?? null };
  return { now, scope: await insightScope(database, filter, now) };
}

export const insightRoutes = {
  getInsights: defineRoute('GET /api/v1/insights', {
    summary: 'Get targets, calibration of judges, error rates and cost over many runs',
    role: 'viewer',
    limit: 'read',
    query: insightsQuery,
    response: component('Insights', insightsSchema),
    handle: async ({ context, query }) => {
      const { scope } = await scopeOf(context, query);
      return succeed(await findInsights(context.database, scope));
    },
  }),
  getTrends: defineRoute('GET /api/v1/insights/trends', {
    summary: 'Get success, score and cost by week, and by version of the settings of one experiment',
    role: 'viewer',
    limit: 'read',
    query: insightsQuery,
    response: component('Trends', trendsSchema),
    handle: async ({ context, query }) => {
      const { scope, now } = await scopeOf(context, query);
      return succeed(await findTrends(context.database, scope, query.experimentId ?? null, now));
    },
  }),
  getReviewerAgreement: defineRoute('GET /api/v1/insights/reviewers', {
    summary: 'Get how far reviewers agree',
    role: 'viewer',
    limit: 'read',
    query: reviewersQuery,
    response: component('Reviewers', reviewersSchema),
    handle: async ({ context: { database }, query }) =>
      succeed(await findReviewers(database, { experimentId: query.experimentId ?? null })),
  }),
  exportInsights: defineRoute('GET /api/v1/insights/export', {
    summary: 'Export the insights as CSV',
    role: 'viewer',
    limit: 'read',
    audit: 'exported',
    query: insightsQuery,
    response: { types: ['text/csv'] },
    handle: async ({ context, actor, query }) => {
      const { scope } = await scopeOf(context, query);
      const insights = await findInsights(context.database, scope);
      await recordExport(actor, { kind: 'run' }, { what: 'insights', experimentId: query.experimentId ?? null });
      return new Response(writeInsightsCsv(insights), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="insights.csv"',
        },
      });
    },
  }),
  compareExperiments: defineRoute('GET /api/v1/compare', {
    summary: 'Compare two to five experiments case by case, with intervals and verdicts',
    role: 'viewer',
    limit: 'read',
    query: compareQuery,
    response: component('Comparison', comparisonSchema),
    handle: async ({ context, query }) => {
      const { experimentIds, baseline, metric, arm, show, cursor, limit } = query;
      return compareExperiments(context, {
        arms: experimentIds,
        baseline: baseline ?? null,
        metric: metric ?? null,
        show: show === undefined ? null : { arm: arm ?? null, kind: show },
        offset: Number(cursor ?? 0),
        limit,
      });
    },
  }),
  exportComparison: defineRoute('GET /api/v1/export/compare', {
    summary: 'Export a comparison as a table',
    role: 'viewer',
    limit: 'read',
    audit: 'exported',
    query: comparisonExportQuery,
    response: { types: ['text/csv'] },
    handle: async ({ context, request, actor, query }) => {
      const { experimentIds, baseline, metric } = query;
      const download = await exportComparison(context, {
        arms: experimentIds,
        baseline: baseline ?? null,
        metric: metric ?? null,
      });
      if (!download.ok) return download;
      await recordExport(actor, { kind: 'experiment' }, { what: 'comparison', arms: experimentIds.join(', ') });
      return downloadResponse(request, download.value);
    },
  }),
  getComparedCase: defineRoute('GET /api/v1/compare/cases/{key}', {
    summary: 'Get the results of one case in each compared experiment',
    role: 'viewer',
    limit: 'read',
    params: { key: anyText },
    query: comparedCaseQuery,
    response: component('ComparedCase', comparedCaseSchema),
    handle: async ({ context, params, query }) => {
      const { key } = params;
      if (!CASE_KEY.test(key))
        return fail('not_found', 'There is no case with this key. Use a caseKey of a comparison.');
      const { experimentIds, baseline } = query;
      return findComparedCase(context, { arms: experimentIds, baseline: baseline ?? null, caseKey: key });
    },
  }),
};
