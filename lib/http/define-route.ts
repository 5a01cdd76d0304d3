import { z } from 'zod';
import type { AuditAct } from '#lib/audit/schema.ts';
import type { Actor, TokenScope } from '#lib/auth/actor.ts';
import type { Role } from '#lib/auth/role.ts';
import type { Result } from '#lib/core/problem.ts';
import type { RateName } from '#lib/environment.ts';
import type { PathParam } from './path-params.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and full path of a route, with its parameters in braces: `GET /api/v1/runs/{id}`. */
type RouteName = `${Method} /${string}`;

/** The names in braces within a path. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Scopes that an API token needs, all of them; `any token` needs none, `people` refuses every token. */
type Scope = TokenScope | readonly TokenScope[] | 'any token' | 'people';

/** Events that a route may record in the audit log, or the reason why it records none. */
type Audit = AuditAct | readonly AuditAct[] | { none: string };

/** A body that is not JSON alone: `types` besides JSON; `json` is the schema of the JSON, null where the route takes none. */
type Upload<Json extends z.ZodType> = { types: readonly string[]; json: Json | null };

/** A response that is not JSON: its content types, and the schema of one line where each line is JSON. */
export type Content<Line extends z.ZodType = z.ZodType> = { types: readonly string[]; line?: Line };

export type RouteContext<Params extends string = string, Query = Record<string, unknown>> = {
  request: Request;
  actor: Actor;
  params: Readonly<Record<Params, string>>;
  query: Query;
  /** The JSON body as it was sent; the command that takes it checks it. Undefined for an upload. */
  body: unknown;
  /** Calls `end` once when the caller loses access to a stream; answers how to stop watching. */
  watchAccess(end: () => void): Promise<() => void>;
};

type Handler<Params extends string, Query, Answer> = (
  context: RouteContext<Params, Query>,
) => Promise<Result<Answer> | Response>;

type Definition<Name extends RouteName, Query extends z.ZodObject, Body extends z.ZodType, Answer extends z.ZodType> = {
  summary: string;
  /** The lowest role that may use the route. */
  role: Role;
  scope: Scope;
  /** `needed`: people cannot use the route, only API tokens. */
  token?: 'needed';
  /** A rate limit that counts besides the limit of requests. */
  limit?: RateName;
  /** Required for every route that writes or exports. */
  audit?: Audit;
  query?: Query;
  headers?: readonly { name: string; description: string }[];
  body?: Body;
  /** True where an empty body stands for `{}`. */
  bodyOptional?: true;
  /** Replaces `body`: the handler reads the request's body itself. */
  upload?: Upload<Body>;
  /** Status of a success; 200 by default. */
  status?: number;
  response: Answer | Content;
  /** Answers callers who have not signed in; without it they get 401. */
  strangers?: () => Promise<Result<unknown> | Response>;
  handle: Handler<ParamNames<Name>, z.output<Query>, z.input<Answer>>;
} & (string extends Name
  ? { params?: Record<string, PathParam> }
  : [ParamNames<Name>] extends [never]
    ? { params?: undefined }
    : { params: Record<ParamNames<Name>, PathParam> });

/** One operation of the API. Routing, authorization, the OpenAPI document and the typed client are derived from it. */
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
  /** Null where no API token may use it. */
  scopes: readonly TokenScope[] | null;
  token: 'needed' | null;
  limit: RateName | null;
  audit: readonly AuditAct[] | { none: string } | null;
  params: Readonly<Record<string, PathParam>>;
  query: Query | null;
  headers: readonly { name: string; description: string }[];
  body: Body | null;
  isBodyOptional: boolean;
  upload: Upload<Body> | null;
  status: number;
  response: Answer | Content;
  strangers: (() => Promise<Result<unknown> | Response>) | null;
  handle(context: RouteContext): Promise<Result<unknown> | Response>;
};

/** Declares an operation of the API: the only place where it is described. Its key in the feature's routes is its operation id. */
export function defineRoute<
  const Name extends RouteName,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(name: Name, definition: Definition<Name, Query, Body, Answer>): Route<Name, Query, Body, Answer> {
  const [method, path] = split(name);
  const { summary, role, scope, token, limit, audit, params, query, headers, body, upload } = definition;
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
    strangers: definition.strangers ?? null,
    // The dispatcher reads the query by this route's own schema and the parameters by its own readers.
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

/** Gives a schema the name of its component in the OpenAPI document. Naming a schema twice is an error unless the name is the same. */
export function component<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  const known = z.globalRegistry.get(schema);
  if (known?.id !== undefined && known.id !== name) throw new Error(`${known.id} is named ${name} too`);
  if (known?.id === undefined) z.globalRegistry.add(schema, { ...known, id: name });
  return schema;
}
