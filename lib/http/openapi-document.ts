import { z } from 'zod';
import type { Content, Route } from './define-route.ts';
import { errorSchema } from './fields.ts';
import type { PathParam } from './parameters.ts';

type Json = Record<string, unknown>;

/** Operations by their id, grouped by tag. */
type Operations = Readonly<Record<string, Readonly<Record<string, Route>>>>;

const PREFIX = '/api/v1';

/** Returns the OpenAPI 3.1 document of the routes below /api/v1, generated from their definitions. */
export function openapiDocument(operations: Operations, version: string): Json {
  const schemas = describeComponents(Object.values(operations).flatMap((routes) => Object.values(routes)));
  const paths: Record<string, Json> = {};
  for (const [tag, routes] of Object.entries(operations)) {
    for (const [operationId, route] of Object.entries(routes)) {
      const path = route.path.slice(PREFIX.length);
      const described = { operationId, tags: [tag], ...describeRoute(route, schemas) };
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: described };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hone',
      version,
      description: 'Reflection experiments: drafts, scores, critiques, revisions and lessons.',
    },
    servers: [{ url: PREFIX }],
    tags: Object.keys(operations).map((name) => ({ name })),
    paths,
    // In local mode Hone requires no token. If one is sent, its scopes apply.
    security: [{}, { apiToken: [] }],
    components: {
      securitySchemes: { apiToken: { type: 'http', scheme: 'bearer', description: 'An API token: hone_…' } },
      schemas: schemas.components,
    },
  };
}

function describeRoute(route: Route, schemas: Schemas): Json {
  const { summary, body, upload, isBodyOptional, status } = route;
  const json = upload?.json ?? body;
  const content = Object.fromEntries([
    ...(json === null ? [] : [['application/json', { schema: schemas.input(json) }]]),
    ...(upload?.types ?? []).map((type) => [type, { schema: { type: 'string' } }]),
  ]);
  return {
    summary,
    description: describeAccess(route),
    parameters: describeParameters(route),
    ...(Object.keys(content).length === 0 ? {} : { requestBody: { required: !isBodyOptional, content } }),
    responses: {
      [status]: { description: summary, content: describeResponse(route.response, schemas) },
      default: {
        description: 'Error with a code, a message and, if one field caused it, its name',
        content: { 'application/json': { schema: schemas.output(errorSchema) } },
      },
    },
  };
}

function describeAccess({ role, scopes }: Route): string {
  const token =
    scopes === null ? 'no API token' : `an API token with ${scopes.length === 0 ? 'any scope' : scopes.join(' and ')}`;
  return `For people with the role ${role}, and ${token}.`;
}

function describeParameters({ path, params, query, headers }: Route): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema:
      name === 'id' ? { type: 'string', format: 'uuid' } : { type: isNumber(params[name]) ? 'integer' : 'string' },
  }));
  const fields = Object.entries(query?.shape ?? {});
  const inQuery = fields.map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: plainSchema(schema),
  }));
  const inHeaders = headers.map((header) => ({ ...header, in: 'header', required: false, schema: { type: 'string' } }));
  return [...inPath, ...inQuery, ...inHeaders];
}

/** Returns true if a path parameter accepts only numbers. */
function isNumber(read: PathParam | undefined): boolean {
  return read?.('1').ok === true && !read('a').ok;
}

function describeResponse(response: z.ZodType | Content, schemas: Schemas): Json {
  if (response instanceof z.ZodType) return { 'application/json': { schema: schemas.output(response) } };
  const schema = response.line === undefined ? { type: 'string' } : schemas.output(response.line);
  return Object.fromEntries(response.types.map((type) => [type, { schema }]));
}

type Schemas = { components: Json; input(schema: z.ZodType): Json; output(schema: z.ZodType): Json };

type Direction = 'input' | 'output';

/**
 * Describes the schemas that routes use and that are named with `component`. If a schema differs in requests, because fields with defaults
 * are optional there, that variant is named with the suffix `Input`.
 */
function describeComponents(routes: readonly Route[]): Schemas {
  const sent = routes.flatMap(({ body, upload }) => body ?? upload?.json ?? []);
  const answered = routes.flatMap(({ response }) => (response instanceof z.ZodType ? response : (response.line ?? [])));
  const output = describeAll([...answered, errorSchema], 'output', (name) => name);
  const input = describeAll(sent, 'input', (name) => name);
  const differs = (name: string) => name in output && JSON.stringify(output[name]) !== JSON.stringify(input[name]);
  const inputName = (name: string) => (differs(name) ? `${name}Input` : name);
  const renamed = describeAll(sent, 'input', inputName);
  return {
    components: { ...renamed, ...output },
    input: (schema) => reference(inputName(nameOf(schema))),
    output: (schema) => reference(nameOf(schema)),
  };
}

/** Describes each schema and the named schemas inside it, by name. */
function describeAll(
  schemas: readonly z.ZodType[],
  io: Direction,
  rename: (name: string) => string,
): Record<string, unknown> {
  const described: Record<string, unknown> = {};
  for (const schema of schemas) {
    const {
      $schema: _dialect,
      $defs = {},
      id: _id,
      ...root
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io,
      unrepresentable: 'any',
    });
    // A recursive named schema is in `$defs`, any other is the root.
    const all = '$ref' in root ? $defs : { ...$defs, [nameOf(schema)]: root };
    for (const [name, one] of Object.entries(all)) described[rename(name)] = withReferences(one, rename);
  }
  return described;
}

/** Rewrites references to local definitions as references to components. */
function withReferences(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === 'id' && typeof inner === 'string') return [];
      const target = key === '$ref' && typeof inner === 'string' ? /^#\/\$defs\/(.+)$/.exec(inner)?.[1] : undefined;
      return [[key, target === undefined ? withReferences(inner, rename) : reference(rename(target)).$ref]];
    }),
  );
}

function nameOf(schema: z.ZodType): string {
  const name = z.globalRegistry.get(schema)?.id;
  if (name === undefined) throw new Error('the schema of a route has no name. Wrap it in component()');
  return name;
}

function plainSchema(schema: z.core.$ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  });
  return rest;
}

function reference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
