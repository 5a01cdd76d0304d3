import type { AppContext } from '#lib/context/app-context.ts';
import { BUILT_IN_TOOLS } from '#lib/core/agents/base-settings.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { listStoredMcpServers } from './stored-mcp-servers.ts';

/** Why agents cannot be given the tools that settings name: one is not there. Null when all are. */
export async function refuseUnknownTools(
  { database }: Pick<AppContext, 'database'>,
  { generator: { base } }: Pick<ExperimentSettings, 'generator'>,
): Promise<Result<never> | null> {
  if (base.type === 'single') return null;
  const workers = base.type === 'supervisor' ? base.workers : [];
  const named = [
    ...base.tools.map((tool, place) => ({ tool, field: `generator.base.tools.${place}` })),
    ...workers.flatMap(({ tools }, worker) =>
      tools.map((tool, place) => ({ tool, field: `generator.base.workers.${worker}.tools.${place}` })),
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
    : `An owner can add its MCP server under Settings; the built-in tools are ${BUILT_IN_TOOLS.join(', ')}.`;
  return fail('invalid', `${field}: there is no tool named ${JSON.stringify(tool)}. ${remedy}`, field);
}

const BUILT_IN = new Set<string>(BUILT_IN_TOOLS);

/** The server's name in that of its tool. */
export function serverOf(tool: string): string {
  return tool.split('__', 1).join('');
}
