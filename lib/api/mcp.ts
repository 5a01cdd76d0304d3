import { getRunningApp } from '#lib/context/running-app.ts';
import { defineRoute, type RouteContext } from '#lib/http/define-route.ts';
import { logBug } from '#lib/log/log.ts';

/**
 * Settings shared by the Model Context Protocol routes. The protocol handler reads the body and responds. Each tool checks its own scope.
 */
const PROTOCOL = {
  scope: 'any token',
  token: 'needed',
  upload: { types: ['application/json'], json: null },
  response: { types: ['application/json', 'text/event-stream'] },
  errors: 'json-rpc',
} as const;

/** Routes of Hone's MCP server for agents (Model Context Protocol, Streamable HTTP). */
export const mcpRoutes = {
  callMcp: defineRoute('POST /api/mcp', {
    ...PROTOCOL,
    summary: 'Call a tool or list the tools',
    role: 'reviewer',
    audit: ['created', 'started'],
    handle: serve,
  }),
  streamMcp: defineRoute('GET /api/mcp', {
    ...PROTOCOL,
    summary: 'Open a stream of notifications. Always returns 405, because Hone sends none',
    role: 'viewer',
    handle: serve,
  }),
  endMcpSession: defineRoute('DELETE /api/mcp', {
    ...PROTOCOL,
    summary: 'End a session. Always returns 405, because Hone has no MCP sessions',
    role: 'reviewer',
    audit: { none: 'the protocol keeps no state' },
    handle: serve,
  }),
};

async function serve({ request, actor, context }: RouteContext<never, unknown>): Promise<Response> {
  const { address, version } = getRunningApp();
  const { serveMcp } = await import('#lib/mcp/serve-mcp.ts');
  return serveMcp(request, { context, actor, address, version, logBug });
}
