import { succeed } from '#lib/core/problem.ts';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema, page } from '#lib/http/fields.ts';
import { nameOf } from '#lib/http/parameters.ts';
import { listTools } from '#lib/mcp-servers/mcp-tools.ts';
import {
  deleteMcpServer,
  mcpServerInputSchema,
  mcpServerPatchSchema,
  saveMcpServer,
  updateMcpServer,
} from '#lib/mcp-servers/save-mcp-server.ts';
import { mcpServerViewSchema, mcpTestSchema, offeredToolSchema } from '#lib/mcp-servers/schema.ts';
import { listMcpServers } from '#lib/mcp-servers/stored-mcp-servers.ts';
import { testMcpServer } from '#lib/mcp-servers/test-mcp-server.ts';

const toolsSchema = component('Tools', page(component('Tool', offeredToolSchema)));

const mcpServersSchema = component('McpServers', page(component('McpServer', mcpServerViewSchema)));

export const toolRoutes = {
  /** Lists all tools available to agents. */
  listTools: defineRoute('GET /api/v1/tools', {
    summary: 'List the tools that agents can use',
    role: 'viewer',
    response: toolsSchema,
    handle: async ({ context }) => succeed({ items: await listTools(context), nextCursor: null }),
  }),
  /** The list is complete and only for owners, because URLs of services may contain data that others must not see. */
  listMcpServers: defineRoute('GET /api/v1/mcp-servers', {
    summary: 'List MCP servers with their tools, without header values',
    role: 'owner',
    response: mcpServersSchema,
    handle: async ({ context }) => succeed({ items: await listMcpServers(context), nextCursor: null }),
  }),
  createMcpServer: defineRoute('POST /api/v1/mcp-servers', {
    summary: 'Add an MCP server. Test it to list its tools',
    role: 'owner',
    audit: 'created',
    body: component('McpServerInput', mcpServerInputSchema),
    status: 201,
    response: component('McpServer', mcpServerViewSchema),
    handle: async ({ context, actor, body }) => saveMcpServer(context, actor, body),
  }),
  updateMcpServer: defineRoute('PATCH /api/v1/mcp-servers/{name}', {
    summary: 'Change an MCP server. A new URL deletes its headers',
    role: 'owner',
    audit: 'changed',
    params: { name: nameOf('MCP server') },
    body: component('McpServerChange', mcpServerPatchSchema),
    response: component('McpServer', mcpServerViewSchema),
    handle: async ({ context, actor, params, body }) => updateMcpServer(context, actor, params.name, body),
  }),
  deleteMcpServer: defineRoute('DELETE /api/v1/mcp-servers/{name}', {
    summary: 'Delete an MCP server. 409 with the experiments that use its tools',
    role: 'owner',
    audit: 'deleted',
    params: { name: nameOf('MCP server') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deleteMcpServer(context, actor, params.name),
  }),
  /** Requests the server's tools and stores them. A failed test is a regular response (`ok: false` with a remedy), not an error. */
  testMcpServer: defineRoute('POST /api/v1/mcp-servers/{name}/test', {
    summary: 'Test an MCP server and store the list of its tools',
    role: 'owner',
    limit: 'test',
    audit: 'tested',
    params: { name: nameOf('MCP server') },
    response: component('McpTest', mcpTestSchema),
    handle: async ({ context, actor, params }) => testMcpServer(context, actor, params.name),
  }),
};
