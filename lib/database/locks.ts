import pg from 'pg';
import type { Database } from './database.ts';
import type { Transaction } from './transactions.ts';

/**
 * Makes whoever counts rows and then adds one under the same `key` wait for one another, to the end of the transaction, over all
 * processes: without it, those who ask at the same moment all count the same rows and pass the limit together.
 */
export async function lockUntilCommit(transaction: Transaction, key: string): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`hone:${key}`}, 0))`;
}

/** Held to the end of the transaction by whoever makes, renames, disables or gives a role to a member: names stay unique, an owner stays. */
export async function lockMembers(transaction: Transaction): Promise<void> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('hone members'))`;
}

/** Does `work` while no other process on the database does what has the same lock; null, and nothing done, where one does. */
export async function tryLock<Value>(
  { pool }: Pick<Database, 'pool'>,
  lock: number,
  work: () => Promise<Value>,
): Promise<Value | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lock]);
    if (rows[0]?.taken !== true) return null;
    try {
      return await work();
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock]).catch((error: unknown) => {
        broken = error instanceof Error ? error : new Error(String(error));
      });
    }
  } finally {
    // A connection that could not let go of the lock is not used again.
    client.release(broken);
  }
}

/** Numbers of the locks that work is done under, one process at a time. */
const WORK_LOCKS = { samples: 72_707_371, sweep: 72_707_372 } as const;

/** Does `work` while no other process on the database does work under the same lock; the others wait for it. */
export async function runExclusively<Value>(
  { pool }: Pick<Database, 'pool'>,
  lock: keyof typeof WORK_LOCKS,
  work: () => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query('SELECT pg_advisory_lock($1)', [WORK_LOCKS[lock]]);
    const value = await work();
    await client.query('SELECT pg_advisory_unlock($1)', [WORK_LOCKS[lock]]);
    isBroken = false;
    return value;
  } finally {
    // A connection that may still hold the lock is closed, which lets go of it.
    client.release(isBroken);
  }
}

/** A connection that holds the database for one process. */
type DatabaseHold = {
  /** Whether this process was the first. */
  alone: boolean;
  release(): Promise<void>;
};

export const HOLD_LOCK = 72_707_370;

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
      const { rows } = await next.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [HOLD_LOCK]);
      alone = rows[0]?.taken === true;
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
export const PROCESS_LOCK = 72_708;

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

/** The first 32 bits of a process's id, with a sign as PostgreSQL's integers have it. */
function lockNumber(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) | 0;
}

/** SQL: whether the process of the row `p` holds its lock. */
export const HOLDS_LOCK = `EXISTS (
  SELECT 1 FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = ${PROCESS_LOCK} AND l.objid::bigint = ('x' || left(p.id::text, 8))::bit(32)::bigint AND l.objsubid = 2 AND l.granted)`;
