import { createHmac } from 'node:crypto';
import path from 'node:path';
import { backupKey } from '#lib/backups/backup-manifest.ts';
import { productVersion } from '#lib/context/product-version.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { applyMigrations, readMigrations } from '#lib/database/apply-migrations.ts';
import { checkDatabase } from '#lib/database/connections.ts';
import type { Database } from '#lib/database/database.ts';
import { acquireProcessLock, markDatabaseInUse } from '#lib/database/locks.ts';
import { hasDatabase } from '#lib/embedded-database/postgres-location.ts';
import { supervisePostgres } from '#lib/embedded-database/supervise-postgres.ts';
import type { Environment } from '#lib/environment.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { backupBeforeMigrations } from './backup-before-migrations.ts';
import type { Ending } from './handle-signals.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';

type Options = {
  environment: Environment;
  dataFolder: string;
  project: string;
  /** 32 bytes. Must be the same in every process on the database. */
  secret: Buffer;
  /** ID of this process. */
  id: string;
  ending: Ending;
  log(line: string): void;
};

type OpenedDatabase = { connectionString: string; ownsDatabase: boolean; migrations: string[] };

/** Returns the database when it is ready: started or reachable, locked and migrated. */
export async function openDataDirectory(options: Options): Promise<OpenedDatabase> {
  const { environment, project, secret, ending, log } = options;
  const isShared = environment.databaseUrl !== null;
  const connectionString =
    environment.databaseUrl === null ? await startOwn(options) : await reachGiven(environment.databaseUrl, log);
  ending.signal.throwIfAborted();

  await (isShared ? shareDatabase(connectionString, options) : ownDatabase(connectionString, options));
  const folder = path.join(project, 'prisma/migrations');
  const before = backupBeforeMigrations({
    connectionString,
    dataFolder: options.dataFolder,
    version: productVersion(project),
    key: backupKey(secret),
    now: () => new Date(),
    log,
  });
  const { applied, unknown } = valueOrFail(await applyMigrations(connectionString, folder, before));
  if (applied.length > 0) log(`database: ${applied.length} migration(s) applied`);
  if (unknown.length > 0)
    log(`database: a newer version of Hone has applied ${unknown.join(', ')}. This version keeps working`);
  const migrations = readMigrations(folder).map(({ name }) => name);
  return { connectionString, ownsDatabase: !isShared, migrations };
}

async function ownDatabase(connectionString: string, { ending }: Options): Promise<void> {
  const hold = await markDatabaseInUse(connectionString);
  ending.defer(() => hold.release());
  if (!hold.alone)
    throw new StartFailure(
      'Another Hone process uses the database of this data directory. Stop it, or set HONE_DATA_DIR (and PORT) to start a second one.',
    );
}

/** Registers this process on a shared database. Its lock shows the other processes that it is alive. */
async function shareDatabase(connectionString: string, { id, ending }: Options): Promise<void> {
  const lock = await acquireProcessLock(connectionString, id);
  ending.defer(() => lock.release());
}

async function startOwn({ dataFolder, ending, log }: Options): Promise<string> {
  log(
    hasDatabase(dataFolder)
      ? 'database: starting PostgreSQL'
      : `database: creating a PostgreSQL cluster in ${dataFolder}`,
  );
  const started = await supervisePostgres({ dataFolder, log, signal: ending.signal }, (reason) =>
    ending.request(`${reason}. Hone can't continue without its database. Start it again with \`${commandLine()}\`.`, 1),
  );
  if (started.ok) ending.defer(() => started.value.stop());
  ending.signal.throwIfAborted();
  const postgres = valueOrFail(started);
  return postgres.connectionString;
}

async function reachGiven(databaseUrl: string, log: (line: string) => void): Promise<string> {
  const { version, warning, connectionString } = valueOrFail(await checkDatabase(databaseUrl));
  log(`database: PostgreSQL ${version} of DATABASE_URL`);
  if (warning !== null) log(`database: ${warning}`);
  return connectionString;
}

const KEY = 'secret_fingerprint';

/** Returns an HMAC-SHA256 of a constant in hexadecimal. It distinguishes secrets without revealing them. */
function fingerprintOf(secret: Buffer): string {
  return createHmac('sha256', secret).update('hone secret fingerprint').digest('hex');
}

type SecretCheck = { database: Pick<Database, 'prisma' | 'isShared'>; secret: Buffer; log(line: string): void };

/**
 * Checks that all processes on a database use the same secret, since otherwise they could not decrypt each other's keys. The first process
 * stores its fingerprint. An embedded database accepts a new secret, because no other process has the old one.
 */
export async function checkSecret({ database, secret, log }: SecretCheck): Promise<Result<null>> {
  const { prisma, isShared } = database;
  const own = { key: KEY, value: fingerprintOf(secret), updatedBy: 'hone', updatedAt: new Date() };
  await prisma.installationSetting.createMany({ data: own, skipDuplicates: true });
  const noted = await prisma.installationSetting.findUniqueOrThrow({ where: { key: KEY } });
  if (noted.value === own.value) return succeed(null);
  if (isShared)
    return fail(
      'conflict',
      "This database was used with another HONE_SECRET, so this process can't read the keys of providers, webhooks and MCP servers. Start every process with the same HONE_SECRET. Without HONE_SECRET, every process needs the same secret.key in its data directory. If the old secret is lost, stop all processes and run DELETE FROM installation_settings WHERE key = 'secret_fingerprint' on the database. Then start Hone and enter the keys again.",
      'HONE_SECRET',
    );
  await prisma.installationSetting.update({ where: { key: KEY }, data: own });
  log('the secret has changed: enter the keys of providers, webhooks and MCP servers again');
  return succeed(null);
}
