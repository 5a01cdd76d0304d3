import { recordExport } from '#lib/auth/record-change.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { casesSchema, datasetInputSchema } from '#lib/datasets/case-input.ts';
import { exportDataset } from '#lib/datasets/export-dataset.ts';
import { type Imported, type ImportTarget, importCases } from '#lib/datasets/import-cases.ts';
import type { ImportOptions } from '#lib/datasets/import-options.ts';
import { findDataset, listCaseChanges, listCases, listDatasets, listDatasetVersions } from '#lib/datasets/queries.ts';
import { type CaseFormat, UPLOAD_LIMIT_BYTES } from '#lib/datasets/read-case-rows.ts';
import { changedDatasetSchema, dividedDatasetSchema, promptfooImportSchema } from '#lib/datasets/schema.ts';
import {
  datasetChangeSchema,
  deleteDataset,
  divisionInputSchema,
  splitDatasetCases,
  updateDataset,
} from '#lib/datasets/update-dataset.ts';
import { downloadResponse } from '#lib/formats/download.ts';
import { component, defineRoute, type RouteContext } from '#lib/http/define-route.ts';
import { deletedSchema } from '#lib/http/fields.ts';
import { anyText, idOf, notFound } from '#lib/http/parameters.ts';
import { mediaType, receiveBody, unsupportedType } from '#lib/http/read-body.ts';
import { importPromptfoo, promptfooInputSchema } from '#lib/promptfoo/import-promptfoo.ts';
import {
  addCasesQuery,
  caseChangesSchema,
  casePageSchema,
  casesQuery,
  createdDatasetSchema,
  datasetExportQuery,
  datasetQuery,
  datasetSchema,
  datasetsQuery,
  datasetsSchema,
  datasetVersionsQuery,
  datasetVersionsSchema,
  importOptionsOf,
  importPreviewSchema,
  previewQuery,
  uploadQuery,
} from './datasets-schema.ts';

/** Media types of case uploads. All are parsed as a stream. */
const FORMATS = new Map<string, CaseFormat>([
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['text/csv', 'csv'],
]);
/** Media types other than JSON. */
const CASE_UPLOADS = [...FORMATS.keys()].slice(1);

/** Receives the cases of a request, then stores them. A dry run returns what would be stored. */
async function receiveUpload(
  { request, actor, context }: Pick<RouteContext, 'request' | 'actor' | 'context'>,
  target: ImportTarget,
  options: ImportOptions,
): Promise<Result<Imported>> {
  const type = mediaType(request);
  const format = FORMATS.get(type);
  if (format === undefined) return unsupportedType(type, [...FORMATS.keys()]);
  return receiveBody(request, { actor, limitBytes: UPLOAD_LIMIT_BYTES }, (bytes) =>
    importCases(context, actor, target, { format, bytes }, options),
  );
}

/** Returns the API response for a completed import. Throws for a dry run. */
function importedShape({ id, version, caseCount, report }: Imported) {
  if (id === null) throw new Error('a dry run stores nothing');
  return { id, version, caseCount, added: report.ready, leftOut: { wrong: report.wrong, same: report.same } };
}

/** Number of cases in the response. The others are available at `/cases`. */
const FIRST_CASES = 200;

export const datasetRoutes = {
  listDatasets: defineRoute('GET /api/v1/datasets', {
    summary: 'List datasets, newest first',
    role: 'viewer',
    query: datasetsQuery,
    response: datasetsSchema,
    handle: async ({ context: { database }, query }) => {
      const { cursor = null, limit, search } = query;
      return succeed(await listDatasets(database, { cursor, limit, search }));
    },
  }),
  /**
   * A JSON body contains the name and the cases. An array, JSONL or CSV contains only cases, and the name is in the query. This route
   * bypasses proxy.ts, which would truncate bodies at 10 MB. `authorize` checks Host and Origin.
   */
  createDataset: defineRoute('POST /api/v1/datasets', {
    summary: 'Create a dataset. A bad case or line is named and nothing is stored',
    role: 'editor',
    limit: 'import',
    audit: ['created', 'imported'],
    query: uploadQuery,
    upload: { types: CASE_UPLOADS, json: component('DatasetInput', datasetInputSchema) },
    status: 201,
    response: createdDatasetSchema,
    handle: async ({ query, ...caller }) => {
      const { name = null, ...reading } = query;
      const options = { ...importOptionsOf(reading), dryRun: false };
      const isJson = caller.request.headers.get('content-type')?.startsWith('application/json');
      const imported = await receiveUpload(caller, { name: isJson ? name : (name ?? '') }, options);
      return imported.ok ? succeed(importedShape(imported.value)) : imported;
    },
  }),
  /** Returns the result of an import and every invalid line, and stores nothing. Bypasses proxy.ts, like the import. */
  previewImport: defineRoute('POST /api/v1/datasets/preview', {
    summary: 'Preview an import with every error. Stores nothing',
    role: 'editor',
    limit: 'import',
    audit: { none: 'only looks: calls of models it may make are in the spend' },
    query: previewQuery,
    upload: { types: CASE_UPLOADS, json: component('DatasetInput', datasetInputSchema) },
    response: importPreviewSchema,
    handle: async ({ query, ...caller }) => {
      const { datasetId, ...reading } = query;
      const target = datasetId === undefined ? { name: null } : { datasetId };
      const looked = await receiveUpload(caller, target, { ...importOptionsOf(reading), dryRun: true });
      return looked.ok ? succeed({ caseCount: looked.value.caseCount, ...looked.value.report }) : looked;
    },
  }),
  /** Converts a promptfoo configuration to a dataset and, optionally, an experiment. A dry run returns what would be imported. */
  importPromptfoo: defineRoute('POST /api/v1/datasets/promptfoo', {
    summary: 'Create a dataset, and optionally an experiment, from a promptfoo configuration',
    role: 'editor',
    limit: 'import',
    audit: 'imported',
    body: component('PromptfooInput', promptfooInputSchema),
    response: component('PromptfooImport', promptfooImportSchema),
    handle: async ({ context, actor, body }) => importPromptfoo(context, actor, body),
  }),
  getDataset: defineRoute('GET /api/v1/datasets/{id}', {
    summary: 'Get a dataset with its first cases',
    role: 'viewer',
    params: { id: idOf('dataset') },
    query: datasetQuery,
    response: datasetSchema,
    handle: async ({ context: { database }, params, query }) => {
      const { version = null } = query;
      const dataset = await findDataset(database, params.id, FIRST_CASES, 0, version);
      if (dataset === null) return notFound('dataset');
      if (version !== null && version > dataset.latestVersion) return notFound('version of this dataset');
      return succeed(dataset);
    },
  }),
  /** Changes the name and the cases. A change of cases creates a new version. */
  updateDataset: defineRoute('PATCH /api/v1/datasets/{id}', {
    summary: 'Change the name or the cases. A change of cases makes a new version',
    role: 'editor',
    audit: 'changed',
    params: { id: idOf('dataset') },
    body: component('DatasetChange', datasetChangeSchema),
    response: component('ChangedDataset', changedDatasetSchema),
    handle: async ({ context, actor, params, body }) => updateDataset(context, actor, params.id, body),
  }),
  listCases: defineRoute('GET /api/v1/datasets/{id}/cases', {
    summary: 'List the cases of a dataset, at any version',
    role: 'viewer',
    params: { id: idOf('dataset') },
    query: casesQuery,
    response: casePageSchema,
    handle: async ({ context: { database }, params, query }) => {
      if ((await findDataset(database, params.id, 0)) === null) return notFound('dataset');
      const { cursor, limit, version = null, search, split = null, tag = null } = query;
      const page = { cursor: Number(cursor ?? 0), limit };
      return succeed(await listCases(database, params.id, { version, search, split, tag }, page));
    },
  }),
  /** Adds the cases of an upload as a new version. Bypasses proxy.ts, which would truncate bodies at 10 MB. */
  addCases: defineRoute('POST /api/v1/datasets/{id}/cases', {
    summary: 'Add cases as a new version. A bad case or line is named and nothing is stored',
    role: 'editor',
    limit: 'import',
    audit: 'imported',
    params: { id: idOf('dataset') },
    query: addCasesQuery,
    upload: { types: CASE_UPLOADS, json: component('CasesInput', casesSchema) },
    status: 201,
    response: createdDatasetSchema,
    handle: async ({ params, query, ...caller }) => {
      const options = { ...importOptionsOf(query), dryRun: false };
      const imported = await receiveUpload(caller, { datasetId: params.id }, options);
      return imported.ok ? succeed(importedShape(imported.value)) : imported;
    },
  }),
  listDatasetVersions: defineRoute('GET /api/v1/datasets/{id}/versions', {
    summary: 'List the versions of a dataset with author and reason',
    role: 'viewer',
    params: { id: idOf('dataset') },
    query: datasetVersionsQuery,
    response: datasetVersionsSchema,
    handle: async ({ context: { database }, params, query }) => {
      if ((await findDataset(database, params.id, 0)) === null) return notFound('dataset');
      const { cursor, limit } = query;
      const before = cursor === undefined ? null : Number(cursor);
      return succeed(await listDatasetVersions(database, params.id, { cursor: before, limit }));
    },
  }),
  /** Returns the changes of a version by case. */
  getDatasetVersion: defineRoute('GET /api/v1/datasets/{id}/versions/{version}', {
    summary: 'Get what a version changed, case by case',
    role: 'viewer',
    params: { id: idOf('dataset'), version: anyText },
    query: datasetVersionsQuery,
    response: caseChangesSchema,
    handle: async ({ context: { database }, params, query }) => {
      const { version } = params;
      const dataset = await findDataset(database, params.id, 0);
      if (dataset === null) return notFound('dataset');
      if (!/^[1-9]\d{0,8}$/.test(version) || Number(version) > dataset.latestVersion)
        return notFound('version of this dataset');
      const { cursor, limit } = query;
      return succeed(
        await listCaseChanges(database, params.id, Number(version), { cursor: Number(cursor ?? 0), limit }),
      );
    },
  }),
  splitDataset: defineRoute('POST /api/v1/datasets/{id}/splits', {
    summary: 'Split the cases without a split, by share and seed, as a new version',
    role: 'editor',
    audit: 'changed',
    params: { id: idOf('dataset') },
    body: component('DivisionInput', divisionInputSchema),
    response: component('DividedDataset', dividedDatasetSchema),
    handle: async ({ context, actor, params, body }) => splitDatasetCases(context, actor, params.id, body),
  }),
  exportDataset: defineRoute('GET /api/v1/datasets/{id}/export', {
    summary: 'Export the cases as JSON Lines or CSV',
    role: 'viewer',
    limit: 'read',
    audit: 'exported',
    params: { id: idOf('dataset') },
    query: datasetExportQuery,
    response: { types: ['application/x-ndjson', 'text/csv'] },
    handle: async ({ context, request, actor, params, query }) => {
      const { format, version = null } = query;
      const download = await exportDataset(context, params.id, { format, version });
      if (!download.ok) return download;
      await recordExport(actor, { kind: 'dataset', id: params.id }, { format, version });
      return downloadResponse(request, download.value);
    },
  }),
  deleteDataset: defineRoute('DELETE /api/v1/datasets/{id}', {
    summary: 'Delete a dataset. Runs keep their cases',
    role: 'editor',
    audit: 'deleted',
    params: { id: idOf('dataset') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deleteDataset(context, actor, params.id),
  }),
};
