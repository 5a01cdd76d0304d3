import type { AppContext } from '#lib/context/app-context.ts';
import type { Tool } from '#lib/tools/toolbox.ts';
import type { StoredTool } from './mcp-server-record.ts';
import { mcpTargetOf } from './mcp-target-of.ts';
import { serverOf } from './refuse-unknown-tools.ts';
import { listStoredMcpServers, type StoredMcpServer } from './stored-mcp-servers.ts';

/** What tools of MCP servers need of the context. */
export type McpContext = Pick<AppContext, 'database' | 'secret' | 'mcp' | 'mcpCommands'>;

/** The tools of MCP servers among these names, as they were last listed; those that are not there are left out. */
export async function mcpTools(context: McpContext, names: ReadonlySet<string>): Promise<Tool[]> {
  const servers = [...new Set([...names].filter((name) => name.includes('__')).map(serverOf))];
  if (servers.length === 0) return [];
  const stored = await listStoredMcpServers(context.database, servers);
  return stored.flatMap((server) =>
    server.tools.filter(({ name }) => names.has(name)).map((tool) => mcpTool(context, server, tool)),
  );
}

function mcpTool(context: McpContext, server: StoredMcpServer, tool: StoredTool): Tool {
  const { name, description, parameters } = tool;
  return {
    definition: { name, description, parameters },
    timeoutMs: server.timeoutMs,
    async run(given, signal) {
      const found = mcpTargetOf(context, server);
      if (!found.ok) return { status: 'failed', text: `The MCP server ${server.name} ${found.message}` };
      return context.mcp.use(found.target, tool.original, given, signal);
    },
  };
}
