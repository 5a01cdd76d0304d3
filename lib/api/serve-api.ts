import { answer } from '#lib/http/answer.ts';
import { serveRoute } from '#lib/http/serve-route.ts';
import { noteRoute } from '#lib/log/request-facts.ts';
import { allowedMethods, findApiRoute, methodRefusal } from './find-api-route.ts';

/** Answers every request below /api. */
export async function serveApi(request: Request): Promise<Response> {
  const found = findApiRoute(new URL(request.url).pathname);
  if (found !== null) noteRoute(found.path);
  if (request.method === 'OPTIONS')
    return new Response(null, { status: 204, headers: { Allow: allowedMethods(found).join(', ') } });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = found?.items.find((item) => item.method === method);
  if (found && route) return serveRoute(route, request, found.params);
  const { status, headers, body } = methodRefusal(found, request.method);
  return answer(async () => Response.json(body, { status, headers }));
}
