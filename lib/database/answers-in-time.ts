import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Whether the database answers within `limitMs`. Never throws: a database that refuses does not answer. */
export async function answersInTime(database: Database, limitMs: number): Promise<boolean> {
  const asked = database.pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  return Promise.race([asked, sleep(limitMs, false, { ref: false })]);
}
