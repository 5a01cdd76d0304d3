import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hostOf } from '#lib/models/host-of.ts';
import { mcpServerPatchSchema } from './mcp-server-input.ts';
import type { McpServerView } from './mcp-server-record.ts';
import { mcpServerView } from './mcp-server-view.ts';
import { commandRefusal, urlRefusal } from './save-mcp-server.ts';
import { sealedHeaders } from './sealed-headers.ts';
import { changeMcpServer, findMcpServer } from './stored-mcp-servers.ts';
import { toolUse } from './tool-use.ts';

/** Changes an MCP server. A changed address drops the stored headers unless new ones come with it: a key must not go where it was not meant for. */
export async function updateMcpServer(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<McpServerView>> {
  const parsed = parseInput(mcpServerPatchSchema, input);
  if (!parsed.ok) return parsed;
  const { database } = context;
  const stored = await findMcpServer(database, name);
  if (stored === null) return notThere(name);
  const { url, command, headers, timeoutMs } = parsed.value;
  const strange = stored.kind === 'http' ? command && 'command' : (url && 'url') || (headers && 'headers');
  if (strange) return fail('invalid', `${strange} is not of a server of the kind ${stored.kind}.`, strange);
  const refused = (await urlRefusal(context, url ?? null)) ?? commandRefusal(context, command ?? null);
  if (refused !== null) return refused;
  const isMoved = url !== undefined && url !== stored.url;
  const sealed = headers !== undefined || isMoved ? sealedHeaders(context, name, headers ?? {}) : {};
  const change = {
    ...sealed,
    ...(url === undefined ? {} : { url }),
    ...(command === undefined ? {} : { command }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const changed = await database.prisma.$transaction(async (transaction) => {
    const after = await changeMcpServer(transaction, name, change, context.now());
    if (after !== null)
      await recordChange(transaction, actor, {
        act: 'changed',
        subject: { kind: 'mcp_server', name },
        change: { fields: Object.keys(parsed.value).join(', '), address: hostOf(after.url) },
      });
    return after;
  });
  if (changed === null) return notThere(name);
  return succeed(mcpServerView(changed, (await toolUse(database))[name]));
}

export function notThere(name: string): Result<never> {
  return fail('not_found', `There is no MCP server named ${JSON.stringify(name)}.`);
}
