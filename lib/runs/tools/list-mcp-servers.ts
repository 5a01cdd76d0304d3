import { listStoredMcpServers } from '#lib/db/mcp-servers.ts';
import { toolUse } from '#lib/db/tool-use.ts';
import type { McpServerView } from '#lib/reflection/agents/mcp-server-view.ts';
import type { Workshop } from '../workshop.ts';
import { mcpServerView } from './mcp-server-view.ts';

/** All MCP servers by name, without the values of their headers. */
export async function listMcpServers({ database }: Pick<Workshop, 'database'>): Promise<McpServerView[]> {
  const [servers, use] = await Promise.all([listStoredMcpServers(database), toolUse(database)]);
  return servers.map((server) => mcpServerView(server, use[server.name]));
}
