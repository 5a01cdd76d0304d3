import pg from 'pg';

/** A connection that holds the database for one process. */
export type DatabaseHold = {
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
