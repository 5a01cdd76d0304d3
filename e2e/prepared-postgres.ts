import { withClient } from '#lib/database/connections.ts';
import { startTestPostgres, type TestPostgres } from '#lib/testing/start-test-postgres.ts';
import { PREPARED_DATA } from './start-app.ts';

/**
 * Starts PostgreSQL for an app with a DATABASE_URL, with the prepared data if under Playwright. Deletes the stored fingerprint so that the
 * app starts with any HONE_SECRET.
 */
export async function startPreparedPostgres(): Promise<TestPostgres> {
  const prepared = process.env[PREPARED_DATA];
  const postgres = await startTestPostgres(prepared);
  if (prepared !== undefined)
    await withClient(postgres.connectionString, (client) =>
      client.query("DELETE FROM installation_settings WHERE key = 'secret_fingerprint'"),
    );
  return postgres;
}
