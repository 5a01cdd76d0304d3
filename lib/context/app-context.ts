import type { Database } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { AddressRules } from '#lib/outgoing/outgoing-address.ts';
import type { EnvironmentKeys } from '#lib/providers/provider-kinds.ts';
import type { McpServers } from '#lib/tools/mcp/mcp-servers.ts';

/** What every use case works with: the shell's time, ids, database and queue, handed in so that tests can hand in their own. */
export type AppContext = {
  database: Database;
  now(): Date;
  newId(): string;
  /** Tells the workers that these runs want performing; with `transaction`, as part of it. */
  enqueue(runIds: string[], transaction?: Transaction): Promise<void>;
  /** Seals provider keys and the secrets of webhooks: 32 bytes. */
  secret: Buffer;
  /** Keys found in the environment, by provider kind. */
  environmentKeys: EnvironmentKeys;
  /** Where webhooks and tools may be besides public addresses. */
  addresses: AddressRules;
  /** The MCP servers that this process speaks with. */
  mcp: McpServers;
  /** Programs that may be started as MCP servers, by name: the program, then its arguments. */
  mcpCommands: Record<string, string[]>;
  /** Where people and programs reach Hone, without a slash at the end. */
  address: string;
};
