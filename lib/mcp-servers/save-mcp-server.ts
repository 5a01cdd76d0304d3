import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { formatNames, formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { listMcpServerUse } from '#lib/models/queries.ts';
import { changedFields, hasValues, hostOf, urlConflict } from '#lib/models/stored-provider.ts';
import { refuseUrl } from '#lib/outgoing/outgoing-address.ts';
import { addedHeadersSchema } from '#lib/system/sealed-headers.ts';
import type { McpServerView } from './schema.ts';
import {
  changeMcpServer,
  commandOf,
  deleteStoredMcpServer,
  findMcpServer,
  insertMcpServer,
  mcpServerView,
  sealedHeaders,
} from './stored-mcp-servers.ts';

const url = z
  .string({ error: 'must be an address such as https://example.com/mcp' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(2_000, { error: 'must be at most 2,000 characters' })
  .refine((text) => !URL.canParse(text) || (new URL(text).search === '' && new URL(text).hash === ''), {
    error: 'must not contain a query string. Put keys into a header, which is stored encrypted',
  });
const command = z.string().trim().min(1, { error: 'must name a program of HONE_MCP_COMMANDS' }).max(30);
const timeoutMs = integerBetween(1_000, 120_000);

/** Prefix of the server's tool names, which may have 64 characters. It has no underscores because the first two underscores end it. */
const name = z.string({ error: 'must be a text' }).regex(/^[a-z][a-z0-9-]{0,29}$/, {
  error: 'must be 1 to 30 lowercase letters, digits and dashes, and begin with a letter',
});

/** Input for adding an MCP server. Header values are write-only. */
export const mcpServerInputSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('http'),
      name,
      url,
      headers: addedHeadersSchema.default({}),
      timeoutMs: timeoutMs.default(30_000),
    }),
    z.strictObject({ kind: z.literal('stdio'), name, command, timeoutMs: timeoutMs.default(30_000) }),
  ],
  { error: 'must be "http" or "stdio"' },
);

/** Changes of a server. Omitted fields are kept. `headers` replaces all headers. A changed URL deletes the old ones. */
export const mcpServerPatchSchema = z.strictObject({
  url: url.optional(),
  command: command.optional(),
  headers: addedHeadersSchema.optional(),
  timeoutMs: timeoutMs.optional(),
  seenUrl: z
    .string({ error: 'must be a text' })
    .max(2_000, { error: 'must be at most 2,000 characters' })
    .optional()
    .meta({ description: 'The stored URL that you saw. If it has changed since, the response is 409.' }),
});

type McpServerPatch = z.infer<typeof mcpServerPatchSchema>;

/** Saves a new MCP server. Its tools are unknown until `testMcpServer` lists them. */
export async function saveMcpServer(context: AppContext, actor: Actor, input: unknown): Promise<Result<McpServerView>> {
  const parsed = parseInput(mcpServerInputSchema, input);
  if (!parsed.ok) return parsed;
  const given = parsed.value;
  const { name, kind, timeoutMs } = given;
  const [url, command] = given.kind === 'http' ? [given.url, null] : [null, given.command];
  const refused = (await refuseUrl(url, context.addresses)) ?? commandRefusal(context, command);
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
      `There is an MCP server named ${JSON.stringify(name)} already. Change that one, or choose another name.`,
      'name',
    );
  return succeed(mcpServerView(stored));
}

/** Returns null if there is no program or the operator permits it. */
function commandRefusal(context: Pick<AppContext, 'mcpCommands'>, command: string | null): Result<never> | null {
  if (command === null || commandOf(context, command) !== null) return null;
  const names = Object.keys(context.mcpCommands);
  const there = names.length === 0 ? 'which names none' : `which names ${names.join(', ')}`;
  return fail(
    'invalid',
    `command must be a program of HONE_MCP_COMMANDS, ${there}. The operator can add it there.`,
    'command',
  );
}

/**
 * Updates an MCP server. A changed URL deletes the stored headers unless new ones are given, because a key must only be sent to the URL it
 * was saved with. An update without changes writes nothing.
 */
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
  if (stored === null) return serverNotFound(name);
  const { headers, seenUrl, ...values } = parsed.value;
  const { url, command } = values;
  const strange = strangeField(stored.kind, parsed.value);
  if (strange) return fail('invalid', `${strange} does not apply to a server of the kind ${stored.kind}.`, strange);
  if (seenUrl !== undefined && seenUrl !== stored.url) return urlConflict(stored.url);
  const refused = (await refuseUrl(url, context.addresses)) ?? commandRefusal(context, command ?? null);
  if (refused !== null) return refused;
  const isMoved = url !== undefined && url !== stored.url;
  const sealed = headers !== undefined || isMoved ? sealedHeaders(context, name, headers ?? {}) : {};
  const change = { ...values, ...sealed };
  const use = async () => (await listMcpServerUse(database))[name];
  if (hasValues(stored, change)) return succeed(mcpServerView(stored, await use()));
  const changed = await database.prisma.$transaction(async (transaction) => {
    const after = await changeMcpServer(transaction, stored, change, context.now());
    if (after !== null)
      await recordChange(transaction, actor, {
        act: 'changed',
        subject: { kind: 'mcp_server', name },
        change: { fields: changedFields(parsed.value), address: hostOf(after.url) },
      });
    return after;
  });
  if (changed === null) {
    const now = await findMcpServer(database, name);
    return now === null ? serverNotFound(name) : urlConflict(now.url);
  }
  return succeed(mcpServerView(changed, await use()));
}

/** Returns a field that the other kind of server has, or a falsy value. */
function strangeField(kind: McpServerView['kind'], { url, command, headers, seenUrl }: McpServerPatch) {
  if (kind === 'http') return command && 'command';
  return (url && 'url') || (headers && 'headers') || (seenUrl && 'seenUrl');
}

export function serverNotFound(name: string): Result<never> {
  return fail('not_found', `There is no MCP server named ${JSON.stringify(name)}.`);
}

/** Deletes an MCP server with its headers and tools. Refuses if experiments use its tools, and names them. */
export async function deleteMcpServer(
  { database }: AppContext,
  actor: Actor,
  name: string,
): Promise<Result<{ deleted: { mcpServers: number } }>> {
  const usedBy = (await listMcpServerUse(database))[name] ?? [];
  if (usedBy.length > 0) {
    return fail(
      'conflict',
      `Tools of the MCP server ${JSON.stringify(name)} are used by ${formatNumberOf(usedBy.length, 'experiment')}: ${formatNames(usedBy.map((experiment) => experiment.name))}. Remove them from their settings first.`,
      'name',
    );
  }
  return database.prisma.$transaction(async (transaction) => {
    const isDeleted = await deleteStoredMcpServer(transaction, name);
    if (!isDeleted) return serverNotFound(name);
    await recordChange(transaction, actor, { act: 'deleted', subject: { kind: 'mcp_server', name } });
    return succeed({ deleted: { mcpServers: 1 } });
  });
}
