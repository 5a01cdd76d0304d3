import { setImmediate as nextTurn } from 'node:timers/promises';
import { answer } from '#lib/http/answer.ts';
import type { Route } from '#lib/http/define-route.ts';
import { createRouter, type Found } from '#lib/http/find-route.ts';
import { serveRoute } from '#lib/http/serve-route.ts';
import { UNKNOWN_METHOD_HEADER } from '#lib/http/unknown-method-header.ts';
import { noteRoute } from '#lib/log/request-facts.ts';

type FindApiRoute = (path: string) => Found<Route> | null;

let loaded: Promise<FindApiRoute> | null = null;

/**
 * Loads all routes, at the first request below /api. It takes most of a second, so it is done in parts between which other requests are
 * served. Returns what finds the routes on a path, with its parameters as they stand in it; null where none answers.
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

/** The methods that a path answers, sorted. */
function allowedMethods(found: Found<Route> | null): string[] {
  const methods = found?.items.map(({ method }) => method) ?? [];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
}

/** The answer to a method that a path does not know: the error, and the methods that it knows. */
function methodRefusal(found: Found<Route> | null, method: string) {
  const allowed = allowedMethods(found).join(', ');
  const message = `${allowed} is allowed here, not ${method}. GET /api/v1/openapi.json names all routes.`;
  // The body is not read: what follows on the connection would be taken for the next request.
  const headers = { Allow: allowed, Connection: 'close' };
  return { status: 405, headers, body: { error: { code: 'method_not_allowed', message } } };
}

/** Answers every request below /api. */
export async function serveApi(request: Request): Promise<Response> {
  loaded ??= loadRoutes().catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  const found = (await loaded)(new URL(request.url).pathname);
  if (found !== null) noteRoute(found.path);
  const unknown = request.method === 'OPTIONS' ? request.headers.get(UNKNOWN_METHOD_HEADER) : null;
  if (request.method === 'OPTIONS' && unknown === null)
    return new Response(null, { status: 204, headers: { Allow: allowedMethods(found).join(', ') } });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = found?.items.find((item) => item.method === method);
  if (found && route) return serveRoute(route, request, found.params);
  const { status, headers, body } = methodRefusal(found, unknown ?? request.method);
  return answer(async () => Response.json(body, { status, headers }));
}
