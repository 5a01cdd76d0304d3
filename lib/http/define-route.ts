import { z } from 'zod';
import type { AuditAction } from '#lib/audit/schema.ts';
import type { Actor, TokenScope } from '#lib/auth/actor.ts';
import type { Role } from '#lib/auth/role.ts';
import type { OpenAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { RateName } from '#lib/environment.ts';
import type { PathParam } from './parameters.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and full path of a route, with its parameters in braces: `GET /api/v1/runs/{id}`. */
type RouteName = `${Method} /${string}`;

/** The parameter names in braces in a path. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Scopes an API token needs, all of them. `any token` requires none, `people` rejects every token. */
type Scope = TokenScope | readonly TokenScope[] | 'any token' | 'people';

/** Audit log events that a route can record, or the reason why it records none. */
type Audit = AuditAction | readonly AuditAction[] | { none: string };

/**
 * A body that may be something other than JSON. `types`: content types in addition to JSON. `json`: schema of the JSON, null if the route
 * accepts none.
 */
type Upload<Json extends z.ZodType> = { types: readonly string[]; json: Json | null };

/** A response that is not JSON: its content types, and the schema of one line if each line is JSON. */
export type Content<Line extends z.ZodType = z.ZodType> = { types: readonly string[]; line?: Line };

export type RouteContext<Params extends string = string, Query = Record<string, unknown>> = {
  request: Request;
  actor: Actor;
  context: OpenAppContext;
  params: Readonly<Record<Params, string>>;
  query: Query;
  /** The JSON body as sent. The command that receives it validates it. Undefined for an upload. */
  body: unknown;
  /** Calls `end` once when the caller loses access to a stream. Resolves to a function that stops watching. */
  watchAccess(end: () => void): Promise<() => void>;
};

type Handler<Params extends string, Query, Answer> = (
  context: RouteContext<Params, Query>,
) => Promise<Result<Answer> | Response>;

type Definition<Name extends RouteName, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType> = {
  summary: string;
  /** Minimum role for the route. */
  role: Role;
  /** Default: `runs:read` for GET, `runs:write` for the other methods. */
  scope?: Scope;
  /** `needed`: only API tokens can use the route, not people. */
  token?: 'needed';
  /** Rate limit that applies in addition to the request limit. */
  limit?: RateName;
  /** Required for every route that writes or exports. */
  audit?: Audit;
  query?: Query;
  headers?: readonly { name: string; description: string }[];
  body?: Body;
  /** True if an empty body counts as `{}`. */
  bodyOptional?: true;
  /** Replaces `body`: the handler reads the request body itself. */
  upload?: Upload<Body>;
  /** Status code of a success, 200 by default. */
  status?: number;
  response: Answer | Content;
  /** Format of errors. Default: the one of the API, `{"error": {code, message, field?, problems?}}`. */
  errors?: 'json-rpc';
} & (
  | { handle: Handler<ParamNames<Name>, z.output<Query>, z.input<Answer>>; answerAnyone?: undefined }
  /** Replaces `handle` in a route that must answer without the app context. Null: a caller who is not signed in. */
  | { handle?: undefined; answerAnyone: (actor: Actor | null) => Promise<Response> }
) &
  (string extends Name
    ? { params?: Record<string, PathParam> }
    : [ParamNames<Name>] extends [never]
      ? { params?: undefined }
      : { params: Record<ParamNames<Name>, PathParam> });

/** An operation of the API. Routing, authorization, the OpenAPI document and the typed client are derived from it. */
export type Route<
  Name extends RouteName = RouteName,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  name: Name;
  method: Method;
  path: string;
  summary: string;
  role: Role;
  /** Null if API tokens cannot use the route. */
  scopes: readonly TokenScope[] | null;
  token: 'needed' | null;
  limit: RateName | null;
  audit: readonly AuditAction[] | { none: string } | null;
  params: Readonly<Record<string, PathParam>>;
  query: Query | null;
  headers: readonly { name: string; description: string }[];
  body: Body | null;
  isBodyOptional: boolean;
  upload: Upload<Body> | null;
  status: number;
  response: Answer | Content;
  errors: 'api' | 'json-rpc';
  /** Null if only callers who are signed in get a response. */
  answerAnyone: ((actor: Actor | null) => Promise<Response>) | null;
  handle(context: RouteContext): Promise<Result<unknown> | Response>;
};

/** Defines an operation of the API. This is the only description of it. Its key in the feature's routes is its operation id. */
export function defineRoute<
  const Name extends RouteName,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(name: Name, definition: Definition<Name, Query, Body, Answer>): Route<Name, Query, Body, Answer> {
  const [method, path] = split(name);
  const { scope = method === 'GET' ? 'runs:read' : 'runs:write' } = definition;
  const { summary, role, token, limit, audit, params, query, headers, body, upload } = definition;
  return {
    name,
    method,
    path,
    summary,
    role,
    scopes: scope === 'people' ? null : scope === 'any token' ? [] : typeof scope === 'string' ? [scope] : scope,
    token: token ?? null,
    limit: limit ?? null,
    audit: typeof audit === 'string' ? [audit] : (audit ?? null),
    params: params ?? {},
    query: query ?? null,
    headers: headers ?? [],
    body: body ?? null,
    isBodyOptional: definition.bodyOptional ?? false,
    upload: upload ?? null,
    status: definition.status ?? 200,
    response: definition.response,
    errors: definition.errors ?? 'api',
    answerAnyone: definition.answerAnyone ?? null,
    // Type-safe because the dispatcher parses the query and parameters with this route's own schema and parsers.
    handle: definition.handle as Route['handle'],
  };
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function split(name: RouteName): [Method, string] {
  const [given, path = '/'] = name.split(' ');
  const method = METHODS.find((known) => known === given);
  if (method === undefined) throw new Error(`${name} does not begin with a method`);
  return [method, path];
}

/** Assigns the name of a schema's component in the OpenAPI document. Throws if the schema already has another name. */
export function component<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  const known = z.globalRegistry.get(schema);
  if (known?.id !== undefined && known.id !== name) throw new Error(`${known.id} and ${name} have the same id`);
  if (known?.id === undefined) z.globalRegistry.add(schema, { ...known, id: name });
  return schema;
}
