import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { sortedMembers } from '#lib/core/json-values.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ListedTool, McpListing, McpProblem } from '#lib/tools/mcp/connect-mcp.ts';
import { serverNotFound } from './save-mcp-server.ts';
import type { McpTest } from './schema.ts';
import { findMcpServer, mcpTargetOf, type StoredMcpServer, saveMcpTest } from './stored-mcp-servers.ts';

/**
 * Lists the tools of an MCP server and saves them. Agents get the descriptions saved here, so a server cannot change them unnoticed. An
 * unusable server is a result (`ok: false`) and keeps its previous tools.
 */
export async function testMcpServer(context: AppContext, actor: Actor, name: string): Promise<Result<McpTest>> {
  const { database, mcp } = context;
  const stored = await findMcpServer(database, name);
  if (stored === null) return serverNotFound(name);
  const startedAt = performance.now();
  const found = mcpTargetOf(context, stored);
  const listing = found.ok ? await mcp.list(found.target, AbortSignal.timeout(found.target.timeoutMs)) : found;
  const test = { ...testOf(stored, listing), latencyMs: Math.round(performance.now() - startedAt) };
  const tools = listing.ok ? listing.tools : null;
  return inTransaction(database, async (transaction): Promise<Result<McpTest>> => {
    if (!(await saveMcpTest(transaction, name, { test, tools }, context.now()))) return serverNotFound(name);
    await recordChange(transaction, actor, {
      act: 'tested',
      subject: { kind: 'mcp_server', name },
      change: { ok: test.ok, tools: tools?.length ?? null },
    });
    return succeed(test);
  });
}

const NO_CHANGES = { added: [], removed: [], changed: [] };

function testOf(stored: StoredMcpServer, listing: McpListing | McpProblem): Omit<McpTest, 'latencyMs'> {
  if (!listing.ok) {
    const message = `The MCP server ${JSON.stringify(stored.name)} ${listing.message}`;
    return { ok: false, message, remedy: listing.remedy, title: '', protocol: '', leftOut: [], changes: NO_CHANGES };
  }
  const { title, version, protocol, tools, leftOut } = listing;
  const who = [title, version].filter((part) => part !== '').join(' ');
  return {
    ok: true,
    message: `It returned ${formatNumberOf(tools.length, 'tool')}.`,
    remedy: null,
    title: who,
    protocol,
    leftOut,
    changes: stored.testedAt === null ? NO_CHANGES : changesOf(stored.tools, tools),
  };
}

function changesOf(before: StoredMcpServer['tools'], after: ListedTool[]): McpTest['changes'] {
  const known = new Map(before.map((tool) => [tool.name, serializeToolDescription(tool)]));
  const names = new Set(after.map(({ name }) => name));
  return {
    added: after.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    changed: after
      .filter((tool) => known.has(tool.name) && known.get(tool.name) !== serializeToolDescription(tool))
      .map(({ name }) => name),
  };
}

/** Returns a tool's description for models as one text. Keys are sorted because the database does not preserve their order. */
function serializeToolDescription({ description, parameters }: Pick<ListedTool, 'description' | 'parameters'>): string {
  return JSON.stringify([description, sortedMembers(parameters)]);
}
