import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Route } from '#lib/http/define-route.ts';
import { respond, serveRoute } from '#lib/http/serve-route.ts';
import { createRouter, type Found, UNKNOWN_METHOD_HEADER } from '#lib/input/find-route.ts';
import { setRequestRoute } from '#lib/log/request-facts.ts';

type FindApiRoute = (path: string) => Found<Route> | null;

let loaded: Promise<FindApiRoute> | null = null;

/**
 * Loads all routes on the first request below /api. This takes almost a second, so it is split into parts, between which other requests are
 * served. Returns a function that finds the routes of a path with their undecoded parameters, or null if none matches.
 */
async function loadRoutes(): Promise<FindApiRoute> {
  const parts = [
    () => import('#lib/providers/language-model.ts'),
    () => import('#lib/evaluators/evaluate-output.ts'),
    () => import('./runs-schema.ts'),
    () => import('./experiments.ts'),
    () => import('./runs.ts'),
    () => import('./prompts.ts'),
    () => import('./lessons.ts'),
    () => import('./datasets.ts'),
  ];
  for (const load of parts) {
    await load();
    await nextTurn();
  }
  const { ROUTES } = await import('./routes.ts');
  return createRouter(ROUTES);
}

/** Returns the allowed methods of a path, sorted. */
function allowedMethods(found: Found<Route> | null): string[] {
  const methods = found?.items.map(({ method }) => method) ?? [];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
}

/** Returns the response to an unsupported method: an error with the allowed methods. */
function methodRefusal(found: Found<Route> | null, method: string) {
  const allowed = allowedMethods(found).join(', ');
  const message = `${allowed} is allowed here, not ${method}. GET /api/v1/openapi.json names all routes.`;
  // Closes the connection, because the unread body would be parsed as the next request.
  const headers = { Allow: allowed, Connection: 'close' };
  return { status: 405, headers, body: { error: { code: 'method_not_allowed', message } } };
}

/** Handles every request below /api. */
export async function serveApi(request: Request): Promise<Response> {
  loaded ??= loadRoutes().catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  const found = (await loaded)(new URL(request.url).pathname);
  if (found !== null) setRequestRoute(found.path);
  const unknown = request.method === 'OPTIONS' ? request.headers.get(UNKNOWN_METHOD_HEADER) : null;
  if (request.method === 'OPTIONS' && unknown === null)
    return new Response(null, { status: 204, headers: { Allow: allowedMethods(found).join(', ') } });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = found?.items.find((item) => item.method === method);
  if (found && route) return serveRoute(route, request, found.params);
  const { status, headers, body } = methodRefusal(found, unknown ?? request.method);
  return respond(async () => Response.json(body, { status, headers }));
}
