import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, storableJson } from '#lib/database/query-values.ts';
import { listMcpServerUse, type ServerUse } from '#lib/models/queries.ts';
import { shownHeaderSchema } from '#lib/system/sealed-headers.ts';
import { type McpServerView, mcpTestSchema, storedToolSchema } from './schema.ts';

const storedMcpServer = z.object({
  name: z.string(),
  kind: z.enum(['http', 'stdio']),
  url: z.string().nullable(),
  command: z.string().nullable(),
  sealedHeaders: z.string().nullable(),
  headerNames: z.array(shownHeaderSchema),
  timeoutMs: z.int(),
  tools: z.array(storedToolSchema),
  test: mcpTestSchema.nullable(),
  testedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** An MCP server as stored: the values of its headers sealed. */
export type StoredMcpServer = z.infer<typeof storedMcpServer>;
type Own = Pick<StoredMcpServer, 'url' | 'command' | 'sealedHeaders' | 'headerNames' | 'timeoutMs'>;

export async function findMcpServer(database: Database, name: string): Promise<StoredMcpServer | null> {
  const row = await database.prisma.mcpServer.findUnique({ where: { name } });
  return row === null ? null : storedMcpServer.parse(row);
}

/** All servers by name, or those of these names. */
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

/** Stores a new server and answers it; null when the name is taken. */
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

/** Changes a server and answers it as it is then; null when it is gone. */
export async function changeMcpServer(
  transaction: Prisma.TransactionClient,
  name: string,
  change: Partial<Own>,
  now: Date,
): Promise<StoredMcpServer | null> {
  const data = { ...change, updatedAt: now };
  const [row] = await transaction.mcpServer.updateManyAndReturn({ where: { name }, data });
  return row === undefined ? null : storedMcpServer.parse(row);
}

/** Keeps what asking a server came to, and its tools where it told them; false when it is gone. */
export async function saveMcpTest(
  transaction: Prisma.TransactionClient,
  name: string,
  { test, tools }: { test: NonNullable<StoredMcpServer['test']>; tools: StoredMcpServer['tools'] | null },
  now: Date,
): Promise<boolean> {
  // By way of text, for a schema of a stranger may hold anything JSON can.
  const listed: { tools?: Prisma.InputJsonValue } = tools === null ? {} : { tools: JSON.parse(storableJson(tools)) };
  const data = { test: cleanJson(test), testedAt: now, ...listed };
  const { count } = await transaction.mcpServer.updateMany({ where: { name }, data });
  return count === 1;
}

/** Deletes a server with its headers and tools; false when it was gone. */
export async function deleteStoredMcpServer(transaction: Prisma.TransactionClient, name: string): Promise<boolean> {
  const { count } = await transaction.mcpServer.deleteMany({ where: { name } });
  return count === 1;
}

/** A server as people see it, with the experiments whose agents use its tools. */
export function mcpServerView(server: StoredMcpServer, usedBy: ServerUse[] = []): McpServerView {
  const { name, kind, url, command, headerNames, timeoutMs, tools, test, testedAt, createdAt, updatedAt } = server;
  return {
    name,
    kind,
    url,
    command,
    headers: headerNames,
    timeoutMs,
    tools,
    test,
    testedAt: testedAt?.toISOString() ?? null,
    usedBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** All MCP servers by name, without the values of their headers. */
export async function listMcpServers({ database }: Pick<AppContext, 'database'>): Promise<McpServerView[]> {
  const [servers, use] = await Promise.all([listStoredMcpServers(database), listMcpServerUse(database)]);
  return servers.map((server) => mcpServerView(server, use[server.name]));
}
