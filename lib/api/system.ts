import { z } from 'zod';
import { getRunningApp } from '#lib/context/running-app.ts';
import { component, defineRoute, type RouteContext } from '#lib/http/define-route.ts';
import { findHealth } from '#lib/monitoring/find-health.ts';
import { writeMetrics } from '#lib/monitoring/write-metrics.ts';

export const healthSchema = component(
  'Health',
  z
    .object({
      status: z.enum(['ok', 'degraded', 'unavailable']),
      database: z.string(),
      worker: z.string(),
      version: z.string(),
      reasons: z.array(z.string()).meta({ description: 'Reasons why Hone is unavailable.' }),
      warnings: z.array(z.string()).meta({ description: 'Problems that need attention.' }),
    })
    .meta({ description: 'Health of all parts. In team mode, callers who are not signed in get only the status.' }),
);

export const systemRoutes = {
  getHealth: defineRoute('GET /api/v1/health', {
    summary: 'Get the health of all parts. 503 with the reasons if one fails',
    role: 'viewer',
    scope: 'any token',
    response: healthSchema,
    answerAnyone: async (actor) => {
      const { environment, version } = getRunningApp();
      const { status, reasons, warnings, databaseAnswers, worker } = await findHealth(environment.dataFolder);
      if (actor === null)
        return Response.json({ status: status === 'unavailable' ? status : 'ok' }, { status: statusCode(status) });
      const database = databaseAnswers ? 'ok' : 'unavailable';
      return Response.json({ status, database, worker, version, reasons, warnings }, { status: statusCode(status) });
    },
  }),
  getMetrics: defineRoute('GET /api/v1/metrics', {
    summary: 'Get metrics in the Prometheus text format. Also at /metrics',
    role: 'viewer',
    response: { types: ['text/plain'] },
    handle: readMetrics,
  }),
};

/** Serves the metrics at the default path of Prometheus. */
export const rootMetrics = defineRoute('GET /metrics', {
  summary: 'Get metrics in the Prometheus text format. Also at /metrics',
  role: 'viewer',
  scope: 'runs:read',
  response: { types: ['text/plain'] },
  handle: readMetrics,
});

async function readMetrics({ context }: Pick<RouteContext, 'context'>): Promise<Response> {
  const { contentType, text } = await writeMetrics(context.database);
  return new Response(text, { headers: { 'Content-Type': contentType } });
}

function statusCode(status: string): number {
  return status === 'unavailable' ? 503 : 200;
}
