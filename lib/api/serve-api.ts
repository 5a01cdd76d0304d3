import { answer } from '#lib/http/answer.ts';
import type { Route } from '#lib/http/define-route.ts';
import { createRouter, type Found } from '#lib/http/find-route.ts';
import { serveRoute } from '#lib/http/serve-route.ts';
import { UNKNOWN_METHOD_HEADER } from '#lib/http/unknown-method-header.ts';
import { noteRoute } from '#lib/log/request-facts.ts';
import { ROUTES } from './routes.ts';

/** The routes on a path, with its parameters as they stand in it; null where none answers. */
const findApiRoute: (path: string) => Found<Route> | null = createRouter(ROUTES);

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
  const found = findApiRoute(new URL(request.url).pathname);
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
