import { compareExperiments } from '#lib/compare/compare-experiments.ts';
import { comparedCaseSchema } from '#lib/compare/compared-case.ts';
import { comparisonSchema } from '#lib/compare/comparison-view.ts';
import { exportComparison } from '#lib/compare/export-comparison.ts';
import { findComparedCase } from '#lib/compare/find-compared-case.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, succeed } from '#lib/core/problem.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { anyText } from '#lib/http/path-params.ts';
import { findInsights } from '#lib/insights/find-insights.ts';
import { findReviewers } from '#lib/insights/find-reviewers.ts';
import { insightsSchema } from '#lib/insights/insights.ts';
import { reviewersSchema } from '#lib/insights/reviewers.ts';
import { writeInsightsCsv } from '#lib/insights/write-insights-csv.ts';
import {
  comparedCaseQuery,
  compareQuery,
  comparisonExportQuery,
  insightsQuery,
  reviewersQuery,
} from './insights-schema.ts';
import { recordExport } from './record-export.ts';

const CASE_KEY = /^[0-9a-f]{32}$/;

export const insightRoutes = {
  getInsights: defineRoute('GET /api/v1/insights', {
    summary: 'The five targets, calibration of judges, error rates and cost over many runs',
    role: 'viewer',
    scope: 'runs:read',
    limit: 'read',
    query: insightsQuery,
    response: component('Insights', insightsSchema),
    handle: async ({ query }) => {
      const { experimentId = null, models = null, days = null } = query;
      const { database, now } = await getAppContext();
      const { insights } = await findInsights(database, { experimentId, models, days }, now());
      return succeed(insights);
    },
  }),
  getReviewerAgreement: defineRoute('GET /api/v1/insights/reviewers', {
    summary: 'How far reviewers agree: opinions on lessons, scores, and preferences of two versions',
    role: 'viewer',
    scope: 'runs:read',
    limit: 'read',
    query: reviewersQuery,
    response: component('Reviewers', reviewersSchema),
    handle: async ({ query }) => {
      const { database } = await getAppContext();
      return succeed(await findReviewers(database, { experimentId: query.experimentId ?? null }));
    },
  }),
  exportInsights: defineRoute('GET /api/v1/insights/export', {
    summary: 'The same numbers as CSV, a measure a line',
    role: 'viewer',
    scope: 'runs:read',
    limit: 'read',
    audit: 'exported',
    query: insightsQuery,
    response: { types: ['text/csv'] },
    handle: async ({ actor, query }) => {
      const { experimentId = null, models = null, days = null } = query;
      const { database, now } = await getAppContext();
      const { insights } = await findInsights(database, { experimentId, models, days }, now());
      await recordExport(actor, { kind: 'run' }, { what: 'insights', experimentId });
      return new Response(writeInsightsCsv(insights), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="insights.csv"',
        },
      });
    },
  }),
  compareExperiments: defineRoute('GET /api/v1/compare', {
    summary:
      'Two to five experiments on the same cases, against one of them: counts, differences with intervals, verdicts, and the cases side by side',
    role: 'viewer',
    scope: 'runs:read',
    limit: 'read',
    query: compareQuery,
    response: component('Comparison', comparisonSchema),
    handle: async ({ query }) => {
      const { experimentIds, baseline, metric, arm, show, cursor, limit } = query;
      return compareExperiments(await getAppContext(), {
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
    summary: 'A comparison as a table: a row for each case on each experiment that ran it',
    role: 'viewer',
    scope: 'runs:read',
    limit: 'read',
    audit: 'exported',
    query: comparisonExportQuery,
    response: { types: ['text/csv'] },
    handle: async ({ request, actor, query }) => {
      const { experimentIds, baseline, metric } = query;
      const download = await exportComparison(await getAppContext(), {
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
    summary: 'What each of the compared experiments made of one case: result, criteria, and the lessons it was given',
    role: 'viewer',
    scope: 'runs:read',
    limit: 'read',
    params: { key: anyText },
    query: comparedCaseQuery,
    response: component('ComparedCase', comparedCaseSchema),
    handle: async ({ params, query }) => {
      const { key } = params;
      if (!CASE_KEY.test(key))
        return fail('not_found', 'There is no case with this key: it is the caseKey of a comparison.');
      const { experimentIds, baseline } = query;
      return findComparedCase(await getAppContext(), { arms: experimentIds, baseline: baseline ?? null, caseKey: key });
    },
  }),
};
