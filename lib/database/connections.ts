import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database, Queryable } from './database.ts';
import { addSettings, sessionAddress } from './session-address.ts';
import type { Transaction } from './transactions.ts';

/** `settings`: of the session, in addition to those of every session. */
type ClientOptions = Pick<pg.ClientConfig, 'application_name' | 'connectionTimeoutMillis'> & { settings?: string[] };

/** Runs `work` on a separate connection outside any pool, and closes it. Uncommitted changes are then rolled back. */
export async function withClient<Value>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Value>,
  { settings = [], ...options }: ClientOptions = {},
): Promise<Value> {
  const defaults = { application_name: 'hone', connectionTimeoutMillis: 15_000 };
  const client = new pg.Client({
    connectionString: sessionAddress(connectionString, settings),
    ...defaults,
    ...options,
  });
  // If the connection breaks, its queries fail.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Connects to the database. Fails if it does not respond within 5 s. */
export async function reachDatabase(connectionString: string): Promise<void> {
  await withClient(connectionString, (client) => client.query('SELECT 1'), { connectionTimeoutMillis: 5_000 });
}

/** Adapts a Prisma transaction for functions that take a pg connection. */
export function asQueryable(transaction: Transaction): Queryable {
  const query = async (query: string | pg.QueryConfig, parameters: unknown[] = []) => {
    const { text, values = [] } = typeof query === 'string' ? { text: query, values: parameters } : query;
    const rows = await transaction.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values);
    return { rows, rowCount: rows.length };
  };
  return { query: query as Queryable['query'] };
}

const MIN_SERVER_VERSION = 150_000;

type Found = {
  number: number;
  version: string;
  encoding: string;
  role: string;
  database: string;
  makes: boolean;
  isReadOnly: boolean;
  /** True if the session has the settings that the client sent, which connection poolers drop. */
  keepsSettings: boolean;
  /** The lowest limit of connections. */
  limit: number;
};

const NEEDED_CONNECTIONS = 30;
const POOLER =
  "DATABASE_URL leads to a connection pooler (such as PgBouncer) that does not keep a session. Hone needs sessions for its locks and notifications. Set DATABASE_URL to the address of PostgreSQL itself, or to a pooler in session mode that passes on the parameter 'options'.";

/** `version`: of the server, for display. `warning`: what an administrator should change. `connectionString`: the address to use. */
type CheckedDatabase = { version: string; warning: string | null; connectionString: string };

/**
 * Checks that an external PostgreSQL responds and is suitable for Hone: version 15 or newer, UTF-8, real sessions, and unless it is
 * `onlyRead`, writable with permission to create tables.
 */
export async function checkDatabase(
  connectionString: string,
  { onlyRead = false }: { onlyRead?: boolean } = {},
): Promise<Result<CheckedDatabase>> {
  try {
    const runQuery = (client: pg.Client) =>
      client.query<Found>(
        `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
                current_setting('server_encoding') AS encoding, current_user AS role, current_database() AS database,
                coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS makes,
                current_setting('transaction_read_only')::boolean AS "isReadOnly",
                coalesce(current_setting('hone.session', true), '') = 'kept' AS "keepsSettings",
                (SELECT min(most) FROM (
                  SELECT rolconnlimit AS most FROM pg_roles WHERE rolname = current_user
                  UNION ALL SELECT datconnlimit FROM pg_database WHERE datname = current_database()
                  UNION ALL SELECT current_setting('max_connections')::int
                ) limits WHERE most >= 0) AS "limit"`,
      );
    const { rows } = await withClient(connectionString, runQuery, {
      connectionTimeoutMillis: 10_000,
      settings: ['hone.session=kept'],
    });
    const found = rows[0];
    if (found === undefined) return fail('unavailable', 'The database of DATABASE_URL does not say its version.');
    if (found.number < MIN_SERVER_VERSION) {
      return fail(
        'unavailable',
        `The database of DATABASE_URL is PostgreSQL ${found.version}. Hone requires PostgreSQL 15 or newer.`,
      );
    }
    if (found.encoding !== 'UTF8') {
      return fail(
        'unavailable',
        `The database of DATABASE_URL has the encoding ${found.encoding}. Create a database with ENCODING 'UTF8'.`,
      );
    }
    if (!found.keepsSettings) return fail('unavailable', POOLER);
    if (found.isReadOnly && !onlyRead) {
      return fail(
        'unavailable',
        `The database ${found.database} of DATABASE_URL is read-only for the user ${found.role}. Use the primary server instead of a replica, or run ALTER ROLE ${pg.escapeIdentifier(found.role)} SET default_transaction_read_only = off.`,
      );
    }
    if (!found.makes && !onlyRead) {
      return fail(
        'unavailable',
        `The user ${found.role} of DATABASE_URL can’t create tables in the database ${found.database}. As the owner of the database, run GRANT CREATE, USAGE ON SCHEMA public TO ${pg.escapeIdentifier(found.role)}, or make that user the owner.`,
      );
    }
    // Older versions reject sessions with this setting, so it is not one of those of every session.
    const hasTransactionTimeout = found.number >= 170_000;
    return succeed({
      version: found.version,
      warning: describeLowLimit(found),
      connectionString: hasTransactionTimeout
        ? addSettings(connectionString, ['transaction_timeout=0'])
        : connectionString,
    });
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/i.test(error.message))
      return fail('unavailable', POOLER);
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
    if (/unrecognized configuration parameter/.test(reason)) {
      return fail(
        'unavailable',
        `The database of DATABASE_URL does not know a setting of the session: ${reason}. Hone requires PostgreSQL 15 or newer. If the setting is in DATABASE_URL, remove it.`,
      );
    }
    return fail(
      'unavailable',
      `The database of DATABASE_URL does not respond: ${reason}. Start the database, or fix or unset DATABASE_URL.`,
    );
  }
}

function describeLowLimit({ limit, role, database }: Found): string | null {
  if (limit >= NEEDED_CONNECTIONS) return null;
  return `only ${limit} connections are allowed, but a Hone process may need ${NEEDED_CONNECTIONS}, and some requests will fail. Raise the limit of the user ${role}, the database ${database} or the server`;
}

const RECONNECT_MS = 500;

/**
 * Keeps one connection that listens on channels, and reconnects if it breaks. `onReconnect` reports that notifications may have been
 * missed, `onBreak` that they may be missed from now on. Returns a function that ends it.
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
