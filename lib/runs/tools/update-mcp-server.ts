import { changeMcpServer, findMcpServer } from '#lib/db/mcp-servers.ts';
import { toolUse } from '#lib/db/tool-use.ts';
import type { McpServerView } from '#lib/reflection/agents/mcp-server-view.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { hostOf } from '../host-of.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { mcpServerPatchSchema } from './mcp-server-input.ts';
import { mcpServerView } from './mcp-server-view.ts';
import { commandRefusal, urlRefusal } from './save-mcp-server.ts';
import { sealedHeaders } from './sealed-headers.ts';

/** Changes an MCP server. A changed address drops the stored headers unless new ones come with it: a key must not go where it was not meant for. */
export async function updateMcpServer(
  workshop: Workshop,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<McpServerView>> {
  const parsed = parseInput(mcpServerPatchSchema, input);
  if (!parsed.ok) return parsed;
  const { database } = workshop;
  const stored = await findMcpServer(database, name);
  if (stored === null) return notThere(name);
  const { url, command, headers, timeoutMs } = parsed.value;
  const strange = stored.kind === 'http' ? command && 'command' : (url && 'url') || (headers && 'headers');
  if (strange) return fail('invalid', `${strange} is not of a server of the kind ${stored.kind}.`, strange);
  const refused = (await urlRefusal(workshop, url ?? null)) ?? commandRefusal(workshop, command ?? null);
  if (refused !== null) return refused;
  const isMoved = url !== undefined && url !== stored.url;
  const sealed = headers !== undefined || isMoved ? sealedHeaders(workshop, name, headers ?? {}) : {};
  const change = {
    ...sealed,
    ...(url === undefined ? {} : { url }),
    ...(command === undefined ? {} : { command }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const changed = await database.prisma.$transaction(async (transaction) => {
    const after = await changeMcpServer(transaction, name, change, workshop.now());
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
