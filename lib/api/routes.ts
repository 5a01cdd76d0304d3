import { z } from 'zod';
import { backupRoutes } from '#lib/backups/api.ts';
import { datasetRoutes } from '#lib/datasets/api.ts';
import { experimentRoutes } from '#lib/experiments/api.ts';
import { component, defineRoute, type Route } from '#lib/http/define-route.ts';
import { openapiDocument } from '#lib/http/openapi-document.ts';
import { anyText } from '#lib/http/path-params.ts';
import { inboxRoutes } from '#lib/inbox/api.ts';
import { insightRoutes } from '#lib/insights/api.ts';
import { lessonRoutes } from '#lib/lessons/api.ts';
import { noteRoutes } from '#lib/notes/api.ts';
import { promptRoutes } from '#lib/prompts/api.ts';
import { providerRoutes } from '#lib/providers/api.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { runRoutes } from '#lib/runs/api.ts';
import { mcpRoutes } from '#lib/runs/mcp/api.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { teamRoutes } from '#lib/team/api.ts';
import { toolRoutes } from '#lib/tools/api.ts';
import { webhookRoutes } from '#lib/webhooks/api.ts';
import { rootMetrics, systemRoutes } from './system.ts';

const documentRoutes = {
  getOpenApi: defineRoute('GET /api/v1/openapi.json', {
    summary: 'This document',
    role: 'viewer',
    scope: 'any token',
    response: component('OpenApiDocument', z.record(z.string(), z.unknown())),
    handle: async (): Promise<Result<Record<string, unknown>>> => {
      described ??= openapiDocument(API, getRunningApp().version);
      return succeed(described);
    },
  }),
};

/** Made once: to describe all schemas takes a quarter of a second, and others wait meanwhile. */
let described: Record<string, unknown> | null = null;

/** Every operation of the API by its id, grouped by the tag it has in the OpenAPI document. */
export const API = {
  Experiments: experimentRoutes,
  Runs: runRoutes,
  Inbox: inboxRoutes,
  Notes: noteRoutes,
  Datasets: datasetRoutes,
  Prompts: promptRoutes,
  Lessons: lessonRoutes,
  Insights: insightRoutes,
  Models: providerRoutes,
  Tools: toolRoutes,
  Webhooks: webhookRoutes,
  Team: teamRoutes,
  Backups: backupRoutes,
  System: { ...systemRoutes, ...documentRoutes },
};

/** Paths below /api that lead nowhere answer as JSON too. */
const NOWHERE = {
  summary: 'Nothing',
  params: { rest: anyText },
  scope: 'any token',
  upload: { types: [], json: null },
  response: { types: [] },
  handle: async () => fail('not_found', 'There is no such route. GET /api/v1/openapi.json names them all.'),
} as const;
const NOTHING_WRITTEN = { ...NOWHERE, role: 'editor', audit: { none: 'there is nothing here' } } as const;

/** Every route there is, also those that are no part of the documented API. */
export const ROUTES: readonly Route[] = [
  ...Object.values(API).flatMap((routes) => Object.values(routes)),
  ...Object.values(mcpRoutes),
  rootMetrics,
  defineRoute('GET /api/{rest}', { ...NOWHERE, role: 'viewer' }),
  defineRoute('POST /api/{rest}', NOTHING_WRITTEN),
  defineRoute('PUT /api/{rest}', NOTHING_WRITTEN),
  defineRoute('PATCH /api/{rest}', NOTHING_WRITTEN),
  defineRoute('DELETE /api/{rest}', NOTHING_WRITTEN),
];
