import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** The connection belongs to a superuser's process, such as autovacuum, which only superusers may terminate. */
const INSUFFICIENT_PRIVILEGE = '42501';
const TRIES = 50;
const PAUSE_MS = 200;

/** Drops a database with all connections to it, if it exists. Waits up to 10 s for autovacuum, which only a superuser could terminate. */
export async function dropDatabase(client: Pick<pg.Client, 'query'>, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if (tries >= TRIES || !(error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE))
        throw error;
      await sleep(PAUSE_MS);
    }
  }
}
