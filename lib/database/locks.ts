import pg from 'pg';
import type { Database, Queryable } from './database.ts';
import { sessionAddress } from './session-address.ts';
import type { Transaction } from './transactions.ts';

/**
 * Locks a `key` until commit, for all processes. For transactions that count rows and then add one: without the lock, concurrent requests
 * would count the same rows and exceed the limit together.
 */
export function lockUntilCommit(transaction: Transaction, key: string): Promise<void> {
  return lockHash(transaction, 'hashtextextended($1, 0)', `hone:${key}`);
}

/** Lock until commit for creating, renaming, disabling or changing the role of a member. It keeps names unique and at least one owner. */
export function lockMembers(transaction: Transaction): Promise<void> {
  return lockHash(transaction, 'hashtext($1)', 'hone members');
}

async function lockHash(transaction: Transaction, number: string, key: string): Promise<void> {
  await transaction.$executeRawUnsafe(`SELECT pg_advisory_xact_lock(${number})`, key);
}

/** The tables with lockable rows, and the type of their keys. */
const KEYS = { datasets: 'id = $1::uuid', lessons: 'id = $1::uuid', providers: 'name = $1' } as const;

/** Locks a row against changes until the transaction ends. Returns false if there is no such row. */
export async function lockRow(transaction: Transaction, table: keyof typeof KEYS, key: string): Promise<boolean> {
  const rows = await transaction.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM ${table} WHERE ${KEYS[table]} FOR UPDATE`,
    key,
  );
  return rows.length > 0;
}

/** Takes a lock until it is released or the connection closes. Returns false if `wait` is false and another process holds it. */
export async function takeLock(
  connection: Queryable,
  lock: AdvisoryLock,
  { wait }: { wait: boolean } = { wait: true },
): Promise<boolean> {
  const take = wait ? 'pg_advisory_lock' : 'pg_try_advisory_lock';
  const { rows } = await connection.query<{ taken: unknown }>(`SELECT ${take}($1) AS taken`, [ADVISORY_LOCKS[lock]]);
  return wait || rows[0]?.taken === true;
}

/** Runs `work` unless another process on the database holds the same lock. Returns null without running it in that case. */
export function tryLock<Value>(
  database: Pick<Database, 'pool'>,
  lock: AdvisoryLock,
  work: () => Promise<Value>,
): Promise<Value | null> {
  return underLock(database, lock, { wait: false }, work);
}

/** Runs `work` while no other process on the database runs work under the same lock. The others wait. */
export async function runExclusively(
  database: Pick<Database, 'pool'>,
  lock: AdvisoryLock,
  work: () => Promise<void>,
): Promise<void> {
  await underLock(database, lock, { wait: true }, work);
}

async function underLock<Value>(
  { pool }: Pick<Database, 'pool'>,
  lock: AdvisoryLock,
  how: { wait: boolean },
  work: () => Promise<Value>,
): Promise<Value | null> {
  const client = await pool.connect();
  let isHeld = true;
  try {
    isHeld = await takeLock(client, lock, how);
    if (!isHeld) return null;
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS[lock]]).then(
        () => (isHeld = false),
        () => undefined,
      );
    }
  } finally {
    // A connection that may still hold the lock is closed, which releases it.
    client.release(isHeld);
  }
}

/** A lock on a separate session, until it is released. */
export type SessionLock = { release(): Promise<void> };

/**
 * Marks the database as in use by this process. `alone`: this process was the first. Another one that checks it detects that it is not
 * alone.
 */
export async function markDatabaseInUse(connectionString: string): Promise<SessionLock & { alone: boolean }> {
  let alone = false;
  const lock = await lockSession(connectionString, 'hone holder', async (client) => {
    alone = await takeLock(client, 'databaseInUse', { wait: false });
  });
  return { ...lock, alone };
}

/** First of the two numbers of every process lock. The second one identifies the process. */
const PROCESS_LOCK = 72_708;

/**
 * Holds a lock of this process. If the process is killed, the system closes the connection and releases the lock immediately, long before
 * other processes would notice missing heartbeats.
 */
export function acquireProcessLock(connectionString: string, id: string): Promise<SessionLock> {
  return lockSession(connectionString, 'hone process', (client) =>
    client.query('SELECT pg_advisory_lock_shared($1, $2)', [PROCESS_LOCK, lockNumber(id)]),
  );
}

const RETAKE_MS = 250;

/** Opens a session and takes a lock on it. A restarted server has lost the lock, so it is then taken again. */
async function lockSession(
  connectionString: string,
  name: string,
  lock: (client: pg.Client) => Promise<unknown>,
): Promise<SessionLock> {
  let released = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function take(): Promise<void> {
    const next = new pg.Client({
      connectionString: sessionAddress(connectionString),
      application_name: name,
      keepAlive: true,
    });
    next.on('error', () => undefined);
    next.on('end', later);
    client = next;
    await next.connect();
    await lock(next);
  }

  function later(): void {
    if (released) return;
    clearTimeout(timer);
    timer = setTimeout(() => take().catch(later), RETAKE_MS);
    timer.unref();
  }

  await take().catch(later);
  return {
    release: async () => {
      released = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

/** True if any process of Hone uses the database. Each holds one of two locks while it is alive. */
export async function isDatabaseInUse(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query(
    `SELECT 1 FROM pg_locks WHERE ${IS_LOCK} AND (classid = ${PROCESS_LOCK} AND objsubid = 2 OR classid = 0 AND objid = ${ADVISORY_LOCKS.databaseInUse} AND objsubid = 1) LIMIT 1`,
  );
  return rows.length > 0;
}

/** Returns the first 32 bits of a process id as a signed PostgreSQL integer. */
function lockNumber(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) | 0;
}

/** SQL condition: a row of `pg_locks` is a granted advisory lock of this database. */
const IS_LOCK = `locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** SQL condition: the process of the row `p` holds its lock. */
export const HOLDS_LOCK = `EXISTS (
  SELECT 1 FROM pg_locks
  WHERE ${IS_LOCK} AND classid = ${PROCESS_LOCK} AND objid::bigint = ('x' || left(p.id::text, 8))::bit(32)::bigint AND objsubid = 2)`;

/**
 * Numbers of PostgreSQL's advisory locks, by what holds them. A number is shared by the whole database, so each purpose needs a different
 * one. Keep existing numbers: processes of two versions share a database during an upgrade.
 */
export const ADVISORY_LOCKS = {
  /** `prisma migrate deploy` uses it too, so the two never run at the same time. */
  migrations: 72_707_369,
  databaseInUse: 72_707_370,
  purge: 72_707_371,
  backupSchedule: 72_707_372,
  retrospectives: 72_707_373,
  samples: 72_707_374,
  runTotals: 72_707_375,
  lessonTotals: 72_707_376,
} as const;

type AdvisoryLock = keyof typeof ADVISORY_LOCKS;
