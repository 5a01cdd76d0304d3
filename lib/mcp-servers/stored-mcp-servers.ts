import { z } from 'zod';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { ownValue } from '#lib/core/json-values.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, storableJson, withIsoTimes } from '#lib/database/query-values.ts';
import { listMcpServerUse, type ServerUse } from '#lib/models/queries.ts';
import { sealHeaders, shownHeaderSchema, unsealHeaders } from '#lib/system/sealed-headers.ts';
import type { McpProblem, McpTarget } from '#lib/tools/mcp/connect-mcp.ts';
import { type McpServerView, mcpServerViewSchema } from './schema.ts';

const storedMcpServer = mcpServerViewSchema.omit({ headers: true, usedBy: true }).extend({
  sealedHeaders: z.string().nullable(),
  headerNames: z.array(shownHeaderSchema),
  testedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** Stored MCP server, with encrypted header values. */
export type StoredMcpServer = z.infer<typeof storedMcpServer>;
type Own = Pick<StoredMcpServer, 'url' | 'command' | 'sealedHeaders' | 'headerNames' | 'timeoutMs'>;

export async function findMcpServer(database: Database, name: string): Promise<StoredMcpServer | null> {
  const row = await database.prisma.mcpServer.findUnique({ where: { name } });
  return row === null ? null : storedMcpServer.parse(row);
}

/** Returns all servers sorted by name, or only those with the given names. */
export async function listStoredMcpServers(
  database: Database,
  names: string[] | null = null,
): Promise<StoredMcpServer[]> {
  const rows = await database.prisma.mcpServer.findMany({
    where: names === null ? {} : { name: { in: names } },
    orderBy: { name: 'asc' },
  });
  return rows.map((row) => storedMcpServer.parse(row));
}

/** Inserts a new server and returns it, or null if the name is taken. */
export async function insertMcpServer(
  transaction: Prisma.TransactionClient,
  server: Own & Pick<StoredMcpServer, 'name' | 'kind'>,
  now: Date,
): Promise<StoredMcpServer | null> {
  const [row] = await transaction.mcpServer.createManyAndReturn({
    data: [{ ...server, createdAt: now, updatedAt: now }],
    skipDuplicates: true,
  });
  return row === undefined ? null : storedMcpServer.parse(row);
}

/** Updates a server and returns the new state, or null if it no longer exists. */
export async function changeMcpServer(
  transaction: Prisma.TransactionClient,
  { name, url }: Pick<StoredMcpServer, 'name' | 'url'>,
  change: Partial<Own>,
  now: Date,
): Promise<StoredMcpServer | null> {
  const data = { ...change, updatedAt: now };
  const [row] = await transaction.mcpServer.updateManyAndReturn({ where: { name, url }, data });
  return row === undefined ? null : storedMcpServer.parse(row);
}

/** Saves the result of a test, and the tools if the server listed them. Returns false if the server no longer exists. */
export async function saveMcpTest(
  transaction: Prisma.TransactionClient,
  name: string,
  { test, tools }: { test: NonNullable<StoredMcpServer['test']>; tools: StoredMcpServer['tools'] | null },
  now: Date,
): Promise<boolean> {
  // Converted via text because a third-party schema can contain any JSON.
  const listed: { tools?: Prisma.InputJsonValue } = tools === null ? {} : { tools: JSON.parse(storableJson(tools)) };
  const data = { test: cleanJson(test), testedAt: now, ...listed };
  const { count } = await transaction.mcpServer.updateMany({ where: { name }, data });
  return count === 1;
}

/** Deletes a server with its headers and tools. Returns false if it did not exist. */
export async function deleteStoredMcpServer(transaction: Prisma.TransactionClient, name: string): Promise<boolean> {
  const { count } = await transaction.mcpServer.deleteMany({ where: { name } });
  return count === 1;
}

/** Returns a server as shown to people, with the experiments whose agents use its tools. */
export function mcpServerView(server: StoredMcpServer, usedBy: ServerUse[] = []): McpServerView {
  return mcpServerViewSchema.parse({ ...withIsoTimes(server), headers: server.headerNames, usedBy });
}

/** Returns all MCP servers sorted by name, without their header values. */
export async function listMcpServers({ database }: DatabaseContext): Promise<McpServerView[]> {
  const [servers, use] = await Promise.all([listStoredMcpServers(database), listMcpServerUse(database)]);
  return servers.map((server) => mcpServerView(server, use[server.name]));
}

type Secret = Pick<AppContext, 'secret'>;

/** Encrypts the headers of a server for storage. */
export function sealedHeaders(
  { secret }: Secret,
  name: string,
  headers: Record<string, string>,
): Pick<StoredMcpServer, 'sealedHeaders' | 'headerNames'> {
  return sealHeaders(secret, boundTo(name), headers);
}

/** Provider names contain no spaces, so the headers of a server can never be decrypted as a provider's key. */
function boundTo(name: string): string {
  return `mcp server ${name}`;
}

/**
 * Returns the connection target of a stored server, or the reason why it is unusable. A program must still be permitted by the operator.
 */
export function mcpTargetOf(
  context: Pick<AppContext, 'secret' | 'mcpCommands'>,
  server: StoredMcpServer,
): { ok: true; target: McpTarget } | McpProblem {
  const { name, kind, url, timeoutMs } = server;
  switch (kind) {
    case 'http': {
      const headers = unsealHeaders(context.secret, boundTo(name), server.sealedHeaders);
      if (headers === null)
        return {
          ok: false,
          message: 'has headers that were encrypted with another secret of this installation.',
          remedy: 'Enter its headers again.',
        };
      return { ok: true, target: { name, timeoutMs, kind, url: url ?? '', headers } };
    }
    case 'stdio': {
      const allowed = commandOf(context, server.command ?? '');
      const [command, ...args] = allowed ?? [];
      if (command === undefined)
        return {
          ok: false,
          message: `is a program, ${JSON.stringify(server.command)}, that this installation does not allow.`,
          remedy: 'Ask the operator to add it to HONE_MCP_COMMANDS.',
        };
      return { ok: true, target: { name, timeoutMs, kind, command, args } };
    }
  }
}

/** Returns the command of a program that the operator permits, or null. */
export function commandOf({ mcpCommands }: Pick<AppContext, 'mcpCommands'>, name: string): string[] | null {
  return ownValue(mcpCommands, name);
}
