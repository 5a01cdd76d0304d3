import type { z } from 'zod';
import { SIGN_IN_LABELS } from '#components/ui/with-sign-in-link.tsx';
import type { API } from '#lib/api/routes.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { withLocalMoments } from '#lib/format.ts';
import type { ParamNames, Route } from '#lib/http/define-route.ts';
import type { errorSchema } from '#lib/http/fields.ts';

type Groups = typeof API;
type AnyRoute = { [Tag in keyof Groups]: Groups[Tag][keyof Groups[Tag]] }[keyof Groups];
type Routes = { [One in AnyRoute as One['name']]: One };

/** Method and path of an API route, as in its definition. */
export type ApiName = keyof Routes;

type QueryOf<One> = One extends Route<infer _Name, infer Query, infer _Body, infer _Answer> ? z.input<Query> : never;
type BodyOf<One> = One extends Route<infer _Name, infer _Query, infer Body, infer _Answer> ? z.input<Body> : never;

export type ApiQuery<Name extends ApiName> = Loose<QueryOf<Routes[Name]>>;

/** JSON request body of a route. */
export type ApiBody<Name extends ApiName> = BodyOf<Routes[Name]>;

export type ApiAnswer<Name extends ApiName> =
  Routes[Name] extends Route<infer _Name, infer _Query, infer _Body, infer Answer> ? z.output<Answer> : never;

/** All query values are sent as text, so a text parameter also accepts numbers. Undefined and null are omitted. */
type Loose<Query> = { [Key in keyof Query]?: Query[Key] | (string extends Query[Key] ? number | null : null) };

export type RequestParts<Name extends ApiName> = { query?: ApiQuery<Name> } & ([ParamNames<Name>] extends [never]
  ? { params?: undefined }
  : { params: Record<ParamNames<Name>, string | number> });

/** `file` replaces the JSON body for uploads. `keepalive`: the request completes even if the page closes. */
type Call<Name extends ApiName> = RequestParts<Name> & {
  body?: ApiBody<Name>;
  file?: { type: string; content: string | Blob };
  signal?: AbortSignal;
  keepalive?: boolean;
};

type Arguments<Name extends ApiName, Options> = [ParamNames<Name>] extends [never]
  ? [options?: Options]
  : [options: Options];

/** Calls a route of Hone's API. An error response returns its problem. No response returns `unavailable`. */
export async function callApi<Name extends ApiName>(
  name: Name,
  ...request: Arguments<Name, Call<Name>>
): Promise<Result<ApiAnswer<Name>>> {
  try {
    return await resultOf(await fetchApi(name, ...request));
  } catch {
    return fail('unavailable', 'Hone did not respond. Try again.');
  }
}

/**
 * Sends the input of a form or button to a route, for `useSubmit`. Rejects if Hone does not respond. The input is sent as entered, so that
 * the route reports what is wrong with it.
 */
export async function submitApi<Name extends ApiName>(
  name: Name,
  ...[request]: Arguments<Name, RequestParts<Name> & { body?: unknown }>
): Promise<Result<ApiAnswer<Name>>> {
  return resultOf(await send(name, request));
}

/** Like `submitApi`, for a route that is only known at run time. */
export async function submitToRoute<Name extends ApiName>(
  name: Name,
  request: RequestParts<Name>,
): Promise<Result<ApiAnswer<Name>>> {
  return resultOf(await send(name, request));
}

async function resultOf<Answer>(response: Response): Promise<Result<Answer>> {
  if (response.ok) return succeed(await response.json());
  return { ok: false, problem: await readRefusal(response) };
}

/** Calls a route and returns its response, for queries that are refetched automatically. Throws on any error. */
export async function readApi<Name extends ApiName>(
  name: Name,
  ...request: Arguments<Name, Call<Name>>
): Promise<ApiAnswer<Name>> {
  const response = await fetchApi(name, ...request);
  if (response.ok) return response.json();
  throw new Error(`${name} answered ${response.status}`);
}

/** Like `readApi`, but null for status 404. */
export async function findApi<Name extends ApiName>(
  name: Name,
  ...request: Arguments<Name, Call<Name>>
): Promise<ApiAnswer<Name> | null> {
  const response = await fetchApi(name, ...request);
  if (response.status === 404) return null;
  if (response.ok) return response.json();
  throw new Error(`${name} answered ${response.status}`);
}

/** Sends a request to a route and returns the raw response, for streams. Throws if Hone does not respond. */
export function fetchApi<Name extends ApiName>(
  name: Name,
  ...[request]: Arguments<Name, Call<Name>>
): Promise<Response> {
  return send(name, request);
}

type Parts = { params?: Record<string, string | number> | undefined; query?: object };
type AnyCall = Parts & Pick<Call<never>, 'file' | 'signal' | 'keepalive'> & { body?: unknown };

function send(name: ApiName, request: AnyCall = {}): Promise<Response> {
  const { body, file, signal, keepalive = false } = request;
  const method = name.slice(0, name.indexOf(' '));
  const sent =
    file !== undefined
      ? { headers: { 'content-type': file.type }, body: file.content }
      : body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(urlOf(name, request), {
    method,
    cache: 'no-store',
    keepalive,
    ...sent,
    ...(signal && { signal }),
  });
}

/** Returns the URL of a route, for links and event streams. */
export function apiUrl<Name extends ApiName>(name: Name, ...[request]: Arguments<Name, RequestParts<Name>>): string {
  return urlOf(name, request);
}

function urlOf(name: ApiName, { params = {}, query: sent = {} }: Parts = {}): string {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const query = new URLSearchParams(
    Object.entries(sent).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [[key, String(value)]],
    ),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Message shown if the session ended before a request was sent. Replaces that of the API, because browsers send no tokens. */
export const SESSION_ENDED = `Your session has ended, and nothing was stored. ${SIGN_IN_LABELS}, then send it again.`;

type ErrorBody = z.output<typeof errorSchema>;

const CODES: Readonly<Record<number, Problem['code']>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'too_slow',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_type',
  429: 'rate_limited',
  500: 'unavailable',
  503: 'unavailable',
};

/** Parses the problem from an error response of the API. */
export async function readRefusal(response: Response): Promise<Problem> {
  const { error }: ErrorBody = await response.json();
  const code = CODES[response.status] ?? 'invalid';
  const { field = null, problems } = error;
  const message = response.status === 401 ? SESSION_ENDED : withLocalMoments(error.message);
  const all = problems?.map((one) => ({ ...one, message: withLocalMoments(one.message) }));
  return { code, message, field, ...(all && { all }) };
}
