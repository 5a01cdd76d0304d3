import { z } from 'zod';
import { getRunningApp } from '#lib/context/running-app.ts';
import { baseSchema } from '#lib/core/agents/base-settings.ts';
import { caseCriteriaSchema } from '#lib/core/case.ts';
import { chatFileSchema, chatMessageSchema } from '#lib/core/chat/chat-message.ts';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { modelSettingsSchema } from '#lib/core/model-settings.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { responseSchemaSchema, toolDefinitionSchema } from '#lib/core/prompt-options.ts';
import {
  critiqueRecordSchema,
  decisionRecordSchema,
  evaluationRecordSchema,
  runRecordSchema,
  versionRecordSchema,
} from '#lib/core/run-record.ts';
import { modelReferenceSchema, settingsSchema } from '#lib/core/settings.ts';
import { targetSettingsSchema } from '#lib/core/targets/target-settings.ts';
import { tokenUsageSchema } from '#lib/core/token-usage.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { component, defineRoute, type Route } from '#lib/http/define-route.ts';
import { openapiDocument } from '#lib/http/openapi-document.ts';
import { anyText } from '#lib/http/parameters.ts';
import { promptSetupSchema } from '#lib/prompts/schema.ts';
import { kappaSchema } from '#lib/statistics/calibration.ts';
import { countedShareSchema, meanIntervalSchema } from '#lib/statistics/shares.ts';
import { backupRoutes } from './backups.ts';
import { datasetRoutes } from './datasets.ts';
import { experimentRoutes } from './experiments.ts';
import { fileRoutes } from './files.ts';
import { inboxRoutes } from './inbox.ts';
import { insightRoutes } from './insights.ts';
import { lessonRoutes } from './lessons.ts';
import { mcpRoutes } from './mcp.ts';
import { noteRoutes } from './notes.ts';
import { promptRoutes } from './prompts.ts';
import { providerRoutes } from './providers.ts';
import { runRoutes } from './runs.ts';
import { docRoutes, searchRoutes } from './search.ts';
import { rootMetrics, systemRoutes } from './system.ts';
import { targetRoutes } from './targets.ts';
import { teamRoutes } from './team.ts';
import { toolRoutes } from './tools.ts';
import { webhookRoutes } from './webhooks.ts';

const documentRoutes = {
  getOpenApi: defineRoute('GET /api/v1/openapi.json', {
    summary: 'Get this document',
    role: 'viewer',
    scope: 'any token',
    response: component('OpenApiDocument', z.record(z.string(), z.unknown())),
    handle: async (): Promise<Result<Record<string, unknown>>> => {
      described ??= openapiDocument(API, getRunningApp().version);
      return succeed(described);
    },
  }),
};

/** Cached, because describing all schemas takes a quarter of a second and blocks other requests. */
let described: Record<string, unknown> | null = null;

/** All operations of the API by id, grouped by their tag in the OpenAPI document. */
export const API = {
  Experiments: experimentRoutes,
  Runs: runRoutes,
  Inbox: inboxRoutes,
  Notes: noteRoutes,
  Datasets: datasetRoutes,
  Files: fileRoutes,
  Prompts: promptRoutes,
  Lessons: lessonRoutes,
  Search: searchRoutes,
  Insights: insightRoutes,
  Models: providerRoutes,
  Targets: targetRoutes,
  Tools: toolRoutes,
  Webhooks: webhookRoutes,
  Team: teamRoutes,
  Backups: backupRoutes,
  Docs: docRoutes,
  System: { ...systemRoutes, ...documentRoutes },
};

/** Unknown paths below /api also return JSON. */
const UNKNOWN_ROUTE = {
  summary: 'Nothing',
  params: { rest: anyText },
  scope: 'any token',
  upload: { types: [], json: null },
  response: { types: [] },
  handle: async () => fail('not_found', 'There is no such route. GET /api/v1/openapi.json names them all.'),
} as const;
const UNKNOWN_WRITE_ROUTE = { ...UNKNOWN_ROUTE, role: 'editor', audit: { none: 'there is nothing here' } } as const;

/** All routes, including those outside the documented API. */
export const ROUTES: readonly Route[] = [
  ...Object.values(API).flatMap((routes) => Object.values(routes)),
  ...Object.values(mcpRoutes),
  rootMetrics,
  defineRoute('GET /api/{rest}', { ...UNKNOWN_ROUTE, role: 'viewer' }),
  defineRoute('POST /api/{rest}', UNKNOWN_WRITE_ROUTE),
  defineRoute('PUT /api/{rest}', UNKNOWN_WRITE_ROUTE),
  defineRoute('PATCH /api/{rest}', UNKNOWN_WRITE_ROUTE),
  defineRoute('DELETE /api/{rest}', UNKNOWN_WRITE_ROUTE),
];

/** Names for schemas shared by several requests and responses. Each is documented once and has a type in the SDKs. */
component('ModelReference', modelReferenceSchema);
component('Base', baseSchema);
component('Criterion', criterionSchema);
component('CaseCriteria', caseCriteriaSchema);
component('NewCase', caseInputSchema);
component('ChatMessage', chatMessageSchema);
component('ChatFile', chatFileSchema);
component('RunRecord', runRecordSchema);
component('Version', versionRecordSchema);
component('Evaluation', evaluationRecordSchema);
component('Critique', critiqueRecordSchema);
component('Decision', decisionRecordSchema);
component('TokenUsage', tokenUsageSchema);
component('PromptSetup', promptSetupSchema);
component('ToolDefinition', toolDefinitionSchema);
component('ResponseSchema', responseSchemaSchema);
component('CountedShare', countedShareSchema);
component('MeanInterval', meanIntervalSchema);
component('Kappa', kappaSchema);

const { generator, temperatures, prompts, evaluation, triggers, revision, lessons, tune, callbacks, budget } =
  settingsSchema.shape;
component('Generator', generator);
component('TargetSettings', targetSettingsSchema);
component('Temperatures', temperatures.unwrap());
component('ModelSettings', modelSettingsSchema);
component('RoleModelSettings', modelSettingsSchema.shape.generate.unwrap().unwrap());
component('RevisionModelSettings', modelSettingsSchema.shape.revise.unwrap().unwrap());
component('OwnPrompts', prompts.unwrap());
component('EvaluationSettings', evaluation.unwrap());
component('Triggers', triggers.unwrap());
component('RevisionSettings', revision.unwrap());
component('LessonSettings', lessons.unwrap());
component('TuneSettings', tune.unwrap());
component('Callbacks', callbacks.unwrap());
component('Budget', budget.unwrap());
