import pg from 'pg';

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
export function lockNumber(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) | 0;
}

/** SQL: whether the process of the row `p` holds its lock. */
export const HOLDS_LOCK = `EXISTS (
  SELECT 1 FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = ${PROCESS_LOCK} AND l.objid::bigint = ('x' || left(p.id::text, 8))::bit(32)::bigint AND l.objsubid = 2 AND l.granted)`;
