import { z } from 'zod';
import { BODIES, OPERATIONS, type Operation } from './operations.ts';
import { ANSWERS } from './shapes.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the API, made from the schemas that check what comes in. */
export function openapiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hone',
      version,
      description: 'Reflection experiments: drafts, scores, critiques, revisions and lessons.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    // On the machine itself Hone answers without a token; where one is sent, it is held to its scopes.
    security: [{}, { apiToken: [] }],
    components: {
      securitySchemes: { apiToken: { type: 'http', scheme: 'bearer', description: 'An API token: hone_…' } },
      schemas: { ...schemasOf(BODIES, 'input'), ...schemasOf(ANSWERS, 'output') },
    },
  };
}

function describeOperation(operation: Operation): Json {
  const { method, path, summary, body, bodyOptional = false, uploads = [], status } = operation;
  const json = body === undefined ? [] : [['application/json', { schema: reference(body) }]];
  const content = Object.fromEntries([...json, ...uploads.map((type) => [type, { schema: { type: 'string' } }])]);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z]+([a-z]?)/gi, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    parameters: parametersOf(operation),
    ...(body === undefined && uploads.length === 0 ? {} : { requestBody: { required: !bodyOptional, content } }),
    responses: {
      [status]: { description: summary, content: answerContent(operation) },
      default: {
        description: 'What went wrong, with the field at fault where there is one',
        content: { 'application/json': { schema: reference('Error') } },
      },
    },
  };
}

function parametersOf({ path, query, headers = [] }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }));
  const fields = Object.entries(query?.shape ?? {});
  const inQuery = fields.map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(schema, 'input'),
  }));
  const inHeaders = headers.map((header) => ({ ...header, in: 'header', required: false, schema: { type: 'string' } }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function answerContent({ answer, downloads = [] }: Operation): Json {
  if (answer === 'text/event-stream') return { 'text/event-stream': { schema: { type: 'string' } } };
  if (answer === 'ProofEvents') return { 'application/x-ndjson': { schema: reference('ProofEvent') } };
  if (answer === 'download') return Object.fromEntries(downloads.map((type) => [type, { schema: { type: 'string' } }]));
  return { 'application/json': { schema: answer === 'object' ? { type: 'object' } : reference(answer) } };
}

function schemasOf(schemas: Record<string, z.ZodType>, io: 'input' | 'output'): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, jsonSchema(schema, io)]));
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  });
  return rest;
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}
