import type { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { AuthorizationError } from '#lib/auth/authorization-error.ts';
import { authorize } from '#lib/auth/authorize.ts';
import { currentHostRules } from '#lib/auth/host-rules.ts';
import { DATA_POLICY, securityHeaders } from '#lib/auth/security-headers.ts';
import { watchAuthorization } from '#lib/auth/watch-authorization.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { isOutage, OUTAGE_RETRY_SECONDS } from '#lib/database/quiet-outages.ts';
import { deletedProblem } from '#lib/database/transactions.ts';
import { getLog, logBug } from '../log/log.ts';
import type { Route } from './define-route.ts';
import type { errorSchema } from './fields.ts';
import { readQuery } from './parameters.ts';
import { readJson, readOptionalJson, refuseBody } from './read-body.ts';

/**
 * Handles a request to a route: authorizes the caller, parses parameters, query and body, and calls the handler. `params` are still
 * URL-encoded.
 */
export async function serveRoute(route: Route, request: Request, params: Record<string, string>): Promise<Response> {
  return respond(async () => {
    if (route.answerAnyone !== null) return route.answerAnyone(await findActor(route));
    const actor = await authorize(route);
    const isBodyless = route.body === null && route.upload === null;
    const refused = isBodyless && route.method !== 'GET' ? await refuseBody(request) : null;
    if (refused !== null) return refused;
    const read = readParams(route, params);
    if (!read.ok) return read;
    const query = route.query === null ? succeed({}) : readQuery(request, route.query);
    if (!query.ok) return query;
    const body = await readBodyOf(route, request);
    if (!body.ok) return body;
    const watchAccess = (end: () => void) => watchAuthorization(route, end);
    const context = await getAppContext();
    const sent = { params: read.value, query: query.value, body: body.value };
    return route.handle({ request, actor, context, ...sent, watchAccess });
  }, route);
}

/** Returns the caller. Null if they are not signed in. */
async function findActor(route: Route): Promise<Actor | null> {
  try {
    return await authorize(route);
  } catch (error) {
    if (error instanceof AuthorizationError && error.status === 401) return null;
    throw error;
  }
}

function readParams({ params }: Route, sent: Record<string, string>): Result<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, read] of Object.entries(params)) {
    const value = read(sent[name] ?? '');
    if (!value.ok) return value;
    values[name] = value.value;
  }
  return succeed(values);
}

async function readBodyOf({ body, isBodyOptional }: Route, request: Request): Promise<Result<unknown>> {
  if (body === null) return succeed(undefined);
  return isBodyOptional ? readOptionalJson(request) : readJson(request);
}

/** Returns the headers of every response. proxy.ts also sets them, but not every route passes through it. Responses must not be cached. */
function headers(): Record<string, string> {
  return {
    ...securityHeaders(currentHostRules()),
    'Content-Security-Policy': DATA_POLICY,
    'Cache-Control': 'no-store',
  };
}

type ErrorBody = z.input<typeof errorSchema>;

const STATUS: Record<Problem['code'], number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_slow: 408,
  too_large: 413,
  unsupported_type: 415,
  rate_limited: 429,
  unavailable: 503,
};

const DATABASE_AWAY =
  'The database is unreachable or has no resources left. Try again in a moment. If the request was a change, first check if it was made.';

/**
 * Creates the response of every route: the value as JSON with `status`, a problem in the format of `errors` with its own status, or a
 * Response unchanged. Other thrown errors are bugs: they are logged with an id, and only that id is returned.
 */
export async function respond(
  work: () => Promise<Result<unknown> | Response>,
  { status = 200, errors = 'api' }: Partial<Pick<Route, 'status' | 'errors'>> = {},
): Promise<Response> {
  let refusal: Refusal;
  try {
    const outcome = await work();
    if (outcome instanceof Response) return withHeaders(outcome);
    if (outcome.ok) return Response.json(outcome.value, { status, headers: headers() });
    refusal = refusalOf(outcome.problem);
  } catch (error) {
    refusal = refusalOfThrown(error);
  }
  const { error } = refusal;
  const body = errors === 'json-rpc' ? jsonRpcError(error) : ({ error } satisfies ErrorBody);
  return Response.json(body, { status: refusal.status, headers: { ...headers(), ...refusal.headers } });
}

/** Clients of JSON-RPC show only the message of such an error. The id is unknown because the body was not read. */
function jsonRpcError({ message, ...data }: ErrorBody['error']) {
  return { jsonrpc: '2.0', id: null, error: { code: -32_000, message, data } };
}

type Refusal = { status: number; error: ErrorBody['error']; headers: Record<string, string> };

function refusalOf({ code, message, field, all, retryAfterSeconds }: Problem): Refusal {
  const error = { code, message, ...(field !== null && { field }), ...(all && { problems: [...all] }) };
  // Otherwise the rest of the body would be parsed as the next request.
  const closing: Record<string, string> = code === 'too_slow' ? { Connection: 'close' } : {};
  return { status: STATUS[code], error, headers: { ...retryAfter(retryAfterSeconds), ...closing } };
}

function refusalOfThrown(thrown: unknown): Refusal {
  if (thrown instanceof AuthorizationError) {
    const { status, code, message, retryAfterSeconds } = thrown;
    const challenge: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    return { status, error: { code, message }, headers: { ...retryAfter(retryAfterSeconds), ...challenge } };
  }
  const deleted = deletedProblem(thrown);
  if (deleted !== null) return refusalOf(deleted.problem);
  if (isOutage(thrown)) {
    getLog().error('a request failed', thrown);
    return refusalOf({ ...fail('unavailable', DATABASE_AWAY).problem, retryAfterSeconds: OUTAGE_RETRY_SECONDS });
  }
  const id = logBug(thrown);
  const message = `An internal error occurred. Nothing was changed unless the log says so. Search the log for ${id}.`;
  return { status: 500, error: { code: 'internal_error', message, id }, headers: {} };
}

function retryAfter(seconds: number | null | undefined): Record<string, string> {
  return seconds == null ? {} : { 'Retry-After': String(seconds) };
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(headers()))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
