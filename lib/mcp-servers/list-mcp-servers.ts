import type { AppContext } from '#lib/context/app-context.ts';
import type { McpServerView } from './mcp-server-record.ts';
import { mcpServerView } from './mcp-server-view.ts';
import { listStoredMcpServers } from './stored-mcp-servers.ts';
import { toolUse } from './tool-use.ts';

/** All MCP servers by name, without the values of their headers. */
export async function listMcpServers({ database }: Pick<AppContext, 'database'>): Promise<McpServerView[]> {
  const [servers, use] = await Promise.all([listStoredMcpServers(database), toolUse(database)]);
  return servers.map((server) => mcpServerView(server, use[server.name]));
}
