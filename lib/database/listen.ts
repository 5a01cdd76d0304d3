import pg from 'pg';
import type { Database } from './database.ts';

const RECONNECT_MS = 500;

/**
 * Holds one connection that listens on channels, and connects again when it breaks. `onReconnect` says that something may have
 * been missed, `onBreak` that from now on something may be. Answers a function that ends it.
 */
export async function listen(
  database: Database,
  channels: string[],
  onNotification: (channel: string, payload: string) => void,
  onReconnect: () => void,
  onBreak: () => void = () => undefined,
): Promise<() => Promise<void>> {
  let client: pg.Client | null = null;
  let closed = false;
  const connect = async () => {
    const next = new pg.Client(database.pool.options);
    next.on('error', () => undefined);
    next.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
    await next.connect();
    for (const channel of channels) await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    next.on('end', () => {
      if (!closed) onBreak();
      later();
    });
    client = next;
  };
  const later = () => {
    if (!closed) setTimeout(() => void reconnect(), RECONNECT_MS).unref();
  };
  const reconnect = async () => {
    try {
      await connect();
      onReconnect();
    } catch {
      later();
    }
  };
  await connect();
  return async () => {
    closed = true;
    await client?.end();
  };
}
