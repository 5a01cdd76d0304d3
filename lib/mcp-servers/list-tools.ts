import type { AppContext } from '#lib/context/app-context.ts';
import { builtInTools } from '#lib/tools/built-in-tools.ts';
import type { OfferedTool } from './mcp-server-record.ts';
import { listStoredMcpServers } from './stored-mcp-servers.ts';

/** All tools that agents can be given: the built-in ones, then those of MCP servers as they were last listed. */
export async function listTools({
  database,
  addresses,
}: Pick<AppContext, 'database' | 'addresses'>): Promise<OfferedTool[]> {
  const servers = await listStoredMcpServers(database);
  const builtIn = builtInTools({
    httpHosts: ['those that the experiment names'],
    addresses,
    searchLessons: async () => null,
  });
  return [
    ...builtIn.map(({ definition }) => ({ ...definition, server: null, note: null })),
    ...servers.flatMap(({ name: server, tools }) =>
      tools.map(({ name, description, parameters, note }) => ({ name, description, server, parameters, note })),
    ),
  ];
}
