import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { withClient } from '#lib/database/connections.ts';
import { closeDatabase, type Database, openDatabase } from '#lib/database/database.ts';
import { dropDatabase } from '#lib/database/drop-database.test-support.ts';
import { withDatabase } from './start-test-postgres.ts';

type TestDatabase = { database(): Database; connectionString: string };

declare module 'vitest' {
  interface ProvidedContext {
    testPostgres: { connectionString: string; templateName: string };
  }
}

/**
 * Provides a test file with a separate migrated, empty database on the real server: a copy of the template, dropped at the end. Call it at
 * the top of a file or of a `describe`. `database()` works from `beforeAll` on.
 */
export function useTestDatabase(): TestDatabase {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const server = inject('testPostgres');
  const connectionString = withDatabase(server.connectionString, name);
  let database: Database | undefined;

  beforeAll(async () => {
    // Block by block through the log, as PostgreSQL would copy it, takes twice the processor time, and so does the drop.
    await withClient(server.connectionString, (client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${server.templateName} STRATEGY file_copy`),
    );
    database = openDatabase(connectionString, { maxConnections: 8 });
  });
  afterAll(async () => {
    if (database !== undefined) await closeDatabase(database);
    await withClient(server.connectionString, (client) => dropDatabase(client, name));
  });

  return {
    connectionString,
    database: () => {
      if (database === undefined) throw new Error('the test database is available from beforeAll on');
      return database;
    },
  };
}
