import { existsSync } from 'node:fs';
import path from 'node:path';
import { applyMigrations } from '#lib/db/apply-migrations.ts';
import { checkDatabase } from '#lib/db/check-database.ts';
import { holdDatabase } from '#lib/db/hold-database.ts';
import { keepPostgresRunning } from '#lib/db/keep-postgres-running.ts';
import type { Environment } from '#lib/environment.ts';
import { StartFailure, valueOrFail } from '#lib/start/start-failure.ts';
import type { Ending } from '#lib/start/take-signals.ts';

type Options = {
  environment: Environment;
  dataFolder: string;
  project: string;
  ending: Ending;
  say(line: string): void;
};

export type OpenedDatabase = { connectionString: string; ownsDatabase: boolean };

/** The database, ready: running or reached, held, migrated. */
export async function openHouse(options: Options): Promise<OpenedDatabase> {
  const { environment, project, ending, say } = options;
  const connectionString =
    environment.databaseUrl === null ? await startOwn(options) : await reachGiven(environment.databaseUrl, say);
  ending.signal.throwIfAborted();

  const hold = await holdDatabase(connectionString);
  ending.defer(() => hold.release());
  if (!hold.alone && environment.databaseUrl === null) {
    throw new StartFailure(
      "Another Hone works on this data folder's database. Stop that one, or set HONE_DATA_DIR (and PORT) for a second one.",
    );
  }
  const migrations = valueOrFail(await applyMigrations(connectionString, path.join(project, 'prisma/migrations')));
  if (migrations.applied.length > 0) say(`database: ${migrations.applied.length} migration(s) applied`);
  return { connectionString, ownsDatabase: hold.alone };
}

async function startOwn({ dataFolder, ending, say }: Options): Promise<string> {
  say(
    existsSync(path.join(dataFolder, 'postgres'))
      ? 'database: starting PostgreSQL'
      : `database: making a PostgreSQL in ${dataFolder}`,
  );
  const started = await keepPostgresRunning({ dataFolder, say, signal: ending.signal }, (reason) =>
    ending.request(`${reason}. Hone cannot go on without its database; start it again with \`npm start\`.`, 1),
  );
  ending.signal.throwIfAborted();
  const postgres = valueOrFail(started);
  ending.defer(() => postgres.stop());
  return postgres.connectionString;
}

async function reachGiven(databaseUrl: string, say: (line: string) => void): Promise<string> {
  const version = valueOrFail(await checkDatabase(databaseUrl));
  say(`database: PostgreSQL ${version} of DATABASE_URL`);
  return databaseUrl;
}
