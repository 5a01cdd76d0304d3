import { rootMetrics } from '#lib/api/system.ts';
import { serveRoute } from '#lib/http/serve-route.ts';

export function GET(request: Request): Promise<Response> {
  return serveRoute(rootMetrics, request, {});
}
