import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from './database.ts';

const OLDEST_VERSION = 150_000;

type Found = { number: number; version: string; encoding: string; role: string; database: string; makes: boolean };

/**
 * Looks whether a given PostgreSQL answers and is fit for Hone: version 15 or newer, UTF-8, and tables may be made in it. Answers its
 * version as people write it.
 */
export async function checkDatabase(connectionString: string): Promise<Result<string>> {
  let client: pg.Client | null = null;
  try {
    // It reads the certificates that the address names, which may not be there.
    client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, application_name: 'hone' });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<Found>(
      `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
              current_setting('server_encoding') AS encoding, current_user AS role, current_database() AS database,
              coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS makes`,
    );
    const found = rows[0];
    if (found === undefined) return fail('unavailable', 'The database of DATABASE_URL does not say its version.');
    if (found.number < OLDEST_VERSION) {
      return fail(
        'unavailable',
        `The database of DATABASE_URL is PostgreSQL ${found.version}; Hone needs 15 or newer.`,
      );
    }
    if (found.encoding !== 'UTF8') {
      return fail(
        'unavailable',
        `The database of DATABASE_URL has the encoding ${found.encoding}; make one with ENCODING 'UTF8'.`,
      );
    }
    if (!found.makes) {
      return fail(
        'unavailable',
        `The user ${found.role} of DATABASE_URL may make no tables in the database ${found.database}. As its owner run GRANT CREATE, USAGE ON SCHEMA public TO ${pg.escapeIdentifier(found.role)}; or make that user the owner of the database.`,
      );
    }
    return succeed(found.version);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
    return fail(
      'unavailable',
      `The database of DATABASE_URL does not answer: ${reason}. Start it, or correct or unset DATABASE_URL.`,
    );
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Whether the database answers within `limitMs`. Never throws: a database that refuses does not answer. */
export async function answersInTime(database: Database, limitMs: number): Promise<boolean> {
  const asked = database.pool.query('SELECT 1').then(
    () => true,
    () => false,
  );
  return Promise.race([asked, sleep(limitMs, false, { ref: false })]);
}
