import pg from 'pg';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

const OLDEST_VERSION = 150_000;

/** Looks whether a given PostgreSQL answers and is fit for Hone: version 15 or newer, UTF-8. Answers its version as people write it. */
export async function checkDatabase(connectionString: string): Promise<Result<string>> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, application_name: 'hone' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
      `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
              current_setting('server_encoding') AS encoding`,
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
    return succeed(found.version);
  } catch (error) {
    const reason = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
    return fail(
      'unavailable',
      `The database of DATABASE_URL does not answer: ${reason}. Start it, or correct or unset DATABASE_URL.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
