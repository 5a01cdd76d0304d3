import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { hostOf } from '#lib/models/host-of.ts';
import { addressProblem } from '#lib/outgoing/outgoing-address.ts';
import { mcpServerInputSchema } from './mcp-server-input.ts';
import type { McpServerView } from './mcp-server-record.ts';
import { mcpServerView } from './mcp-server-view.ts';
import { commandOf } from './mcp-target-of.ts';
import { sealedHeaders } from './sealed-headers.ts';
import { insertMcpServer } from './stored-mcp-servers.ts';

/** Stores a new MCP server. Its tools are known once it was asked for them, see `testMcpServer`. */
export async function saveMcpServer(context: AppContext, actor: Actor, input: unknown): Promise<Result<McpServerView>> {
  const parsed = parseInput(mcpServerInputSchema, input);
  if (!parsed.ok) return parsed;
  const given = parsed.value;
  const { name, kind, timeoutMs } = given;
  const [url, command] = given.kind === 'http' ? [given.url, null] : [null, given.command];
  const refused = (await urlRefusal(context, url)) ?? commandRefusal(context, command);
  if (refused !== null) return refused;
  const headers = sealedHeaders(context, name, given.kind === 'http' ? given.headers : {});
  const server = { name, kind, url, command, timeoutMs, ...headers };
  const stored = await context.database.prisma.$transaction(async (transaction) => {
    const inserted = await insertMcpServer(transaction, server, context.now());
    if (inserted !== null)
      await recordChange(transaction, actor, {
        act: 'created',
        subject: { kind: 'mcp_server', name },
        change: { kind, address: hostOf(url), command },
      });
    return inserted;
  });
  if (stored === null)
    return fail(
      'conflict',
      `There is an MCP server named ${JSON.stringify(name)} already. Change that one, or take another name.`,
      'name',
    );
  return succeed(mcpServerView(stored));
}

/** Null where there is no address, or it may be asked. */
export async function urlRefusal(
  { addresses }: Pick<AppContext, 'addresses'>,
  url: string | null,
): Promise<Result<never> | null> {
  const problem = url === null ? null : await addressProblem(url, addresses);
  return problem === null ? null : fail('invalid', `url ${problem}.`, 'url');
}

/** Null where there is no program, or it may be started. */
export function commandRefusal(context: Pick<AppContext, 'mcpCommands'>, command: string | null): Result<never> | null {
  if (command === null || commandOf(context, command) !== null) return null;
  const names = Object.keys(context.mcpCommands);
  const there = names.length === 0 ? 'which names none' : `which names ${names.join(', ')}`;
  return fail(
    'invalid',
    `command must be a program of HONE_MCP_COMMANDS, ${there}. The operator can add it there.`,
    'command',
  );
}
