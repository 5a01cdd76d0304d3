import type { Actor } from '#lib/auth/actor.ts';
import { AuthorizationError } from '#lib/auth/authorization-error.ts';
import { authorize } from '#lib/auth/authorize.ts';
import { watchAuthorization } from '#lib/auth/watch-authorization.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { Route } from './define-route.ts';
import { readJson, readOptionalJson, refuseBody } from './read-body.ts';
import { readQuery } from './read-query.ts';
import { respond } from './respond.ts';

/**
 * Handles a request to a route: authorizes the caller, parses parameters, query and body, and calls the handler. `params` are still
 * URL-encoded.
 */
export async function serveRoute(route: Route, request: Request, params: Record<string, string>): Promise<Response> {
  return respond(async () => {
    const actor = await admit(route);
    if (actor === null) return route.strangers?.() ?? succeed({});
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
    return route.handle({ request, actor, params: read.value, query: query.value, body: body.value, watchAccess });
  }, route.status);
}

/** Returns the caller. Null if they are not signed in and the route accepts that. */
async function admit(route: Route): Promise<Actor | null> {
  try {
    return await authorize(route);
  } catch (error) {
    if (route.strangers !== null && error instanceof AuthorizationError && error.status === 401) return null;
    throw error;
  }
}

function readParams({ params }: Route, given: Record<string, string>): Result<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, read] of Object.entries(params)) {
    const value = read(given[name] ?? '');
    if (!value.ok) return value;
    values[name] = value.value;
  }
  return succeed(values);
}

async function readBodyOf({ body, isBodyOptional }: Route, request: Request): Promise<Result<unknown>> {
  if (body === null) return succeed(undefined);
  return isBodyOptional ? readOptionalJson(request) : readJson(request);
}
