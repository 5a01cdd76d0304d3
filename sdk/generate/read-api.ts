/** The part of JSON Schema that the generators use. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  description?: string;
};

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema };

/** The response of an operation: JSON, JSON Lines, server-sent events, or a file. */
type Response = { kind: 'json' | 'lines'; type: string } | { kind: 'events' | 'file' };

export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  /** `json`: the name of its type, or null if only files are accepted. */
  body: { required: boolean; json: string | null; files: string[] } | null;
  response: Response;
};

export type Api = { version: string; types: Record<string, Schema>; operations: Operation[] };

type Content = Record<string, { schema: Schema }>;
type Described = {
  operationId: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content: Content }>;
};
type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

/** Reads the OpenAPI document of Hone: types by name, operations ordered by id. */
export function readApi(document: unknown): Api {
  const { info, paths, components } = document as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => readOperation(method, path, described)),
  );
  const byName = <Value>(entries: [string, Value][]) => entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    version: info.version,
    types: Object.fromEntries(byName(Object.entries(components.schemas))),
    operations: operations.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

function readOperation(method: string, path: string, described: Described): Operation {
  const { operationId, summary, description, parameters, requestBody, responses } = described;
  const { 'application/json': json, ...files } = requestBody?.content ?? {};
  const body = {
    required: requestBody?.required ?? false,
    json: json === undefined ? null : typeName(json.schema),
    files: Object.keys(files),
  };
  const { default: _error, ...successes } = responses;
  const [success] = Object.values(successes);
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters,
    body: requestBody === undefined ? null : body,
    response: readResponse(success?.content ?? {}),
  };
}

function readResponse(content: Content): Response {
  const json = content['application/json'];
  if (json !== undefined) return { kind: 'json', type: typeName(json.schema) };
  const lines = content['application/x-ndjson'];
  if (lines?.schema.$ref !== undefined) return { kind: 'lines', type: typeName(lines.schema) };
  return { kind: 'text/event-stream' in content ? 'events' : 'file' };
}

export function typeName({ $ref }: Schema): string {
  if ($ref === undefined) throw new Error('a body or a response has no name');
  return $ref.replace('#/components/schemas/', '');
}

/** Returns the types of a union without `null`, and if `null` is one of them. Returns null for a schema that is not a union. */
export function readUnion({ anyOf, oneOf, type, ...rest }: Schema): { members: Schema[]; nullable: boolean } | null {
  const all = anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one): Schema => ({ ...rest, type: one })) : null);
  if (all === null) return null;
  const members = all.filter((member) => member.type !== 'null');
  return { members, nullable: members.length < all.length };
}

/** Returns the text with a full stop at the end, unless it already ends a sentence. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
