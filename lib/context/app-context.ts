import type { Database } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { AddressRules } from '#lib/outgoing/outgoing-address.ts';
import type { EnvironmentKeys } from '#lib/providers/provider-kinds.ts';
import type { McpServers } from '#lib/tools/mcp/mcp-servers.ts';

/** Dependencies of every use case: clock, ids, database and queue. They are injected so that tests can replace them. */
export type AppContext = {
  database: Database;
  now(): Date;
  newId(): string;
  /** Notifies the workers that these runs are queued. With `transaction`, as part of it. */
  enqueue(runIds: string[], transaction?: Transaction): Promise<void>;
  /** Encrypts provider keys and webhook secrets: 32 bytes. */
  secret: Buffer;
  /** Keys found in the environment, by provider kind. */
  environmentKeys: EnvironmentKeys;
  /** Non-public addresses that webhooks and tools may also use. */
  addresses: AddressRules;
  /** The MCP servers that this process is connected to. */
  mcp: McpServers;
  /** Programs that may be started as MCP servers, by name: the program, followed by its arguments. */
  mcpCommands: Record<string, string[]>;
  /** Base URL of Hone for people and programs, without a trailing slash. */
  address: string;
};

/** Context of use cases that only need the database. */
export type DatabaseContext = Pick<AppContext, 'database'>;

/** Context of use cases that also depend on the time. */
export type TimedContext = Pick<AppContext, 'database' | 'now'>;
