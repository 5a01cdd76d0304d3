import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { BUILT_IN_TOOLS } from '#lib/core/agents/base-settings.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { builtInTools } from '#lib/tools/built-in-tools.ts';
import type { Tool } from '#lib/tools/toolbox.ts';
import type { OfferedTool, StoredTool } from './schema.ts';
import { listStoredMcpServers, mcpTargetOf, type StoredMcpServer } from './stored-mcp-servers.ts';

/** Returns a problem if a tool named in the settings does not exist, or null if all exist. */
export async function refuseUnknownTools(
  { database }: DatabaseContext,
  { generator: { base } }: Pick<ExperimentSettings, 'generator'>,
): Promise<Result<never> | null> {
  if (base.type === 'single') return null;
  const workers = base.type === 'supervisor' ? base.workers : [];
  const named = [
    ...base.tools.map((tool, index) => ({ tool, field: `generator.base.tools.${index}` })),
    ...workers.flatMap(({ tools }, worker) =>
      tools.map((tool, index) => ({ tool, field: `generator.base.workers.${worker}.tools.${index}` })),
    ),
  ].filter(({ tool }) => !BUILT_IN.has(tool));
  if (named.length === 0) return null;
  const servers = await listStoredMcpServers(database, [...new Set(named.map(({ tool }) => serverOf(tool)))]);
  const there = new Set(servers.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const missing = named.find(({ tool }) => !there.has(tool));
  if (missing === undefined) return null;
  const { tool, field } = missing;
  const server = serverOf(tool);
  const remedy = servers.some(({ name }) => name === server)
    ? `The MCP server ${JSON.stringify(server)} did not list it when it was last tested: test it under Settings, or take the tool out.`
    : `An owner can add its MCP server under Settings. The built-in tools are ${BUILT_IN_TOOLS.join(', ')}.`;
  return fail('invalid', `${field}: there is no tool named ${JSON.stringify(tool)}. ${remedy}`, field);
}

const BUILT_IN = new Set<string>(BUILT_IN_TOOLS);

function serverOf(tool: string): string {
  return tool.split('__', 1).join('');
}

/** Context needed by the tools of MCP servers. */
export type McpContext = Pick<AppContext, 'database' | 'secret' | 'mcp' | 'mcpCommands'>;

/** Returns the tools of MCP servers among these names, as last listed. Missing tools are left out. */
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
    async run(input, signal) {
      const found = mcpTargetOf(context, server);
      if (!found.ok) return { status: 'failed', text: `The MCP server ${server.name} ${found.message}` };
      return context.mcp.use(found.target, tool.original, input, signal);
    },
  };
}

/** Returns all tools available to agents: the built-in ones, then those of MCP servers as last listed. */
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
