import { randomUUIDv7 } from 'node:crypto';
import { CHANGES_CHANNEL, markChanged, startListening, stopListening } from '#lib/database/changes.ts';
import { listen } from '#lib/database/connections.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import { announceAllEvents, announceEvents } from '#lib/live/live.ts';
import { getLog } from '#lib/log/log.ts';
import { type AddressRules, addressRules } from '#lib/outgoing/outgoing-address.ts';
import { openQueue, type Queue } from '#lib/queue/queue.ts';
import type { McpServers } from '#lib/tools/mcp/mcp-servers.ts';
import type { AppContext } from './app-context.ts';
import { getAppDatabase } from './app-database.ts';
import { openOnce } from './open-once.ts';
import { getRunningApp } from './running-app.ts';
import { onShutdown } from './shutdown-hooks.ts';

/** The app context of pages, routes and the worker, with the queue itself. */
export type OpenAppContext = AppContext & { queue: Queue };

declare global {
  // Pages, routes and the worker have separate module instances. They only share `globalThis`.
  var honeAppContext: Promise<OpenAppContext> | undefined;
}

/** Returns the app context, opened at first use. If opening fails, the next call tries again. */
export function getAppContext(): Promise<OpenAppContext> {
  globalThis.honeAppContext ??= openAppContext().catch((error: unknown) => {
    globalThis.honeAppContext = undefined;
    throw error;
  });
  return globalThis.honeAppContext;
}

async function openAppContext(): Promise<OpenAppContext> {
  const app = getRunningApp();
  const database = getAppDatabase();
  const closeListener = await listen(
    database,
    ['hone_events', 'hone_decisions', CHANGES_CHANNEL],
    (channel, payload) => {
      if (channel === 'hone_events') announceEvents(payload);
      else if (channel === 'hone_decisions') interruptRun(payload);
      else markChanged(database, payload);
    },
    () => {
      startListening(database);
      announceAllEvents();
    },
    () => stopListening(database),
  );
  startListening(database);
  onShutdown(closeListener);
  const addresses = addressRules(app.environment);
  const mcp = lazyMcpServers(addresses);
  onShutdown(mcp.close);
  const queue = await openQueue(app.connectionString, (error) => getLog().error('queue', error));
  return {
    database,
    queue,
    now: () => new Date(),
    // Ordered by time, so that the rows of a run are stored near each other and indexes stay small.
    newId: () => randomUUIDv7(),
    enqueue: queue.enqueue,
    secret: app.secret,
    environmentKeys: app.environment.environmentKeys,
    addresses,
    mcp,
    mcpCommands: app.environment.mcpCommands,
    address: app.address,
  };
}

/** The MCP servers, whose client is loaded at first use, because no start and no page needs it. */
function lazyMcpServers(rules: AddressRules): McpServers {
  const servers = openOnce(async () => (await import('#lib/tools/mcp/mcp-servers.ts')).mcpServers({ rules }));
  return {
    list: async (...args) => (await servers.get()).list(...args),
    use: async (...args) => (await servers.get()).use(...args),
    close: async () => (await servers.opened())?.close(),
  };
}
