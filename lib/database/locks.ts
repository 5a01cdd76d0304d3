import pg from 'pg';
import type { Database, Queryable } from './database.ts';
import type { Transaction } from './transactions.ts';

/**
 * Makes whoever counts rows and then adds one under the same `key` wait for one another, to the end of the transaction, over all
 * processes: without it, those who ask at the same moment all count the same rows and pass the limit together.
 */
export function lockUntilCommit(transaction: Transaction, key: string): Promise<void> {
  return lockHash(transaction, 'hashtextextended($1, 0)', `hone:${key}`);
}

/** Held to the end of the transaction by whoever makes, renames, disables or gives a role to a member: names stay unique, an owner stays. */
export function lockMembers(transaction: Transaction): Promise<void> {
  return lockHash(transaction, 'hashtext($1)', 'hone members');
}

async function lockHash(transaction: Transaction, number: string, key: string): Promise<void> {
  await transaction.$executeRawUnsafe(`SELECT pg_advisory_xact_lock(${number})`, key);
}

/** Keeps all others from changing a row until the transaction ends; false where there is no such row. */
export async function lockRow(transaction: Transaction, table: 'datasets' | 'lessons', id: string): Promise<boolean> {
  const rows = await transaction.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM ${table} WHERE id = $1::uuid FOR UPDATE`,
    id,
  );
  return rows.length > 0;
}

/** Holds a lock for as long as the connection stands, or until it is let go of; false where `wait` is false and another one holds it. */
export async function takeLock(
  connection: Queryable,
  lock: number,
  { wait }: { wait: boolean } = { wait: true },
): Promise<boolean> {
  const take = wait ? 'pg_advisory_lock' : 'pg_try_advisory_lock';
  const { rows } = await connection.query<{ taken: unknown }>(`SELECT ${take}($1) AS taken`, [lock]);
  return wait || rows[0]?.taken === true;
}

/** Does `work` while no other process on the database does what has the same lock; null, and nothing done, where one does. */
export function tryLock<Value>(
  database: Pick<Database, 'pool'>,
  lock: number,
  work: () => Promise<Value>,
): Promise<Value | null> {
  return underLock(database, lock, { wait: false }, work);
}

/** Does `work` while no other process on the database does work under the same lock; the others wait for it. */
export async function runExclusively(
  database: Pick<Database, 'pool'>,
  lock: number,
  work: () => Promise<void>,
): Promise<void> {
  await underLock(database, lock, { wait: true }, work);
}

async function underLock<Value>(
  { pool }: Pick<Database, 'pool'>,
  lock: number,
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
      await client.query('SELECT pg_advisory_unlock($1)', [lock]).then(
        () => (isHeld = false),
        () => undefined,
      );
    }
  } finally {
    // A connection that may still hold the lock is closed, which lets go of it.
    client.release(isHeld);
  }
}

/** A connection that holds the database for one process. */
type DatabaseHold = {
  /** Whether this process was the first. */
  alone: boolean;
  release(): Promise<void>;
};

const HOLD_LOCK = 72_707_370;

/** Says by a lock of its session that this process works on the database; another one that asks then learns it is not alone. */
export async function holdDatabase(connectionString: string): Promise<DatabaseHold> {
  let alone = false;
  let released = false;
  let client = await take();

  async function take(): Promise<pg.Client | null> {
    const next = new pg.Client({ connectionString, application_name: 'hone holder' });
    // A server that was started again has forgotten the lock.
    next.on('error', () => undefined);
    next.on('end', () => setTimeout(retake, 1000).unref());
    try {
      await next.connect();
      alone = await takeLock(next, HOLD_LOCK, { wait: false });
      return next;
    } catch {
      return null;
    }
  }

  async function retake(): Promise<void> {
    if (released) return;
    client = await take();
  }

  return {
    alone,
    release: async () => {
      released = true;
      await client?.end().catch(() => undefined);
    },
  };
}

/** A connection that says for as long as it stands that the process lives. */
export type ProcessLock = { release(): Promise<void> };

/** The first of the two numbers of every process's lock; the second is the process's own. */
const PROCESS_LOCK = 72_708;

const RETAKE_MS = 250;

/**
 * Holds a lock of the process's own by a session of its own. When the process is killed its system closes the connection and the
 * lock is free at once, which the others see long before its silence tells them. A server that was started again has forgotten
 * the lock: it is then taken anew.
 */
export async function holdProcessLock(connectionString: string, id: string): Promise<ProcessLock> {
  let released = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function take(): Promise<void> {
    const next = new pg.Client({ connectionString, application_name: 'hone process', keepAlive: true });
    next.on('error', () => undefined);
    next.on('end', later);
    client = next;
    await next.connect();
    await next.query('SELECT pg_advisory_lock_shared($1, $2)', [PROCESS_LOCK, lockNumber(id)]);
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

/** Whether any process of Hone works on the database: each holds one of two locks for as long as it lives. */
export async function isAtWork(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query(
    `SELECT 1 FROM pg_locks WHERE ${IS_LOCK} AND (classid = ${PROCESS_LOCK} AND objsubid = 2 OR classid = 0 AND objid = ${HOLD_LOCK} AND objsubid = 1) LIMIT 1`,
  );
  return rows.length > 0;
}

/** The first 32 bits of a process's id, with a sign as PostgreSQL's integers have it. */
function lockNumber(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) | 0;
}

/** SQL: whether a row of `pg_locks` is a lock of this database's that is held and has a number. */
const IS_LOCK = `locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** SQL: whether the process of the row `p` holds its lock. */
export const HOLDS_LOCK = `EXISTS (
  SELECT 1 FROM pg_locks
  WHERE ${IS_LOCK} AND classid = ${PROCESS_LOCK} AND objid::bigint = ('x' || left(p.id::text, 8))::bit(32)::bigint AND objsubid = 2)`;
