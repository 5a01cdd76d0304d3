import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { deleteStoredMcpServer } from './stored-mcp-servers.ts';
import { toolUse } from './tool-use.ts';
import { notThere } from './update-mcp-server.ts';

/** How many experiments a refusal names. */
const NAMED = 5;

/** Deletes an MCP server with its headers and tools. One whose tools experiments give to their agents is kept, and they are told. */
export async function deleteMcpServer(
  { database }: AppContext,
  actor: Actor,
  name: string,
): Promise<Result<{ deleted: { mcpServers: number } }>> {
  const usedBy = (await toolUse(database))[name] ?? [];
  if (usedBy.length > 0) {
    const shown = usedBy.slice(0, NAMED).map((experiment) => JSON.stringify(experiment.name));
    const more = usedBy.length > NAMED ? ` and ${usedBy.length - NAMED} more` : '';
    return fail(
      'conflict',
      `Tools of the MCP server ${JSON.stringify(name)} are used by ${usedBy.length === 1 ? 'an experiment' : `${usedBy.length} experiments`}: ${shown.join(', ')}${more}. Take them out of their settings first.`,
      'name',
    );
  }
  return database.prisma.$transaction(async (transaction) => {
    const isDeleted = await deleteStoredMcpServer(transaction, name);
    if (!isDeleted) return notThere(name);
    await recordChange(transaction, actor, { act: 'deleted', subject: { kind: 'mcp_server', name } });
    return succeed({ deleted: { mcpServers: 1 } });
  });
}
