import { copyFileSync, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { checkDatabase } from '#lib/database/connections.ts';
import { findPostgresBinaries } from '#lib/embedded-database/postgres-binaries.ts';
import {
  choosePostgresLocation,
  clusterMajor,
  LOCATION_FOR_ROOT,
  programsMajor,
} from '#lib/embedded-database/postgres-location.ts';
import { findRunningPostgres, stopOrphanedServer } from '#lib/embedded-database/stop-postgres.ts';
import { supervisePostgres } from '#lib/embedded-database/supervise-postgres.ts';
import type { Environment } from '#lib/environment.ts';
import { lockDataFolder } from './file-lock.ts';
import type { Ending } from './handle-signals.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';

type Options = {
  environment: Environment;
  dataFolder: string;
  /** Name of the calling command as shown to people: `npm run backup`. */
  command: string;
  /** True if the command needs the database exclusively. False if it may use the database server of a running Hone. */
  alone: boolean;
  /** True if the command changes nothing, so that a read-only replica is enough. */
  onlyRead?: boolean;
  /** Runs after the data folder is locked and before its database server starts. */
  prepare?: () => Promise<void>;
  ending: Ending;
  log(line: string): void;
};

/**
 * Returns the connection string for a command that runs beside the app. Uses the configured database, that of a running Hone, or a server
 * started only for the command.
 */
export async function connectDatabase(options: Options): Promise<string> {
  const { environment, dataFolder, command, alone, ending, log } = options;
  if (environment.databaseUrl !== null) {
    const { onlyRead } = options;
    return valueOrFail(await checkDatabase(environment.databaseUrl, { onlyRead })).connectionString;
  }
  const lock = await lockDataFolder(dataFolder, `(${command})`);
  if (!lock.ok) {
    if (alone) throw new StartFailure(`${command} needs exclusive access to the database. ${lock.problem.message}`);
    return reachRunning(dataFolder, lock.problem.message);
  }
  ending.defer(() => lock.value.release());
  await options.prepare?.();
  const started = await supervisePostgres({ dataFolder, log, signal: ending.signal }, (reason) =>
    ending.request(`${reason}. ${command} can't continue without its database.`, 1),
  );
  ending.signal.throwIfAborted();
  const postgres = valueOrFail(started);
  ending.defer(() => postgres.stop());
  return postgres.connectionString;
}

function reachRunning(dataFolder: string, holder: string): string {
  const location = valueOrFail(choosePostgresLocation(dataFolder, () => undefined));
  const address = findRunningPostgres(location.folder);
  if (address !== null) return address;
  throw new StartFailure(`${holder} Its database is not running yet. Try again in a moment.`);
}

/** Returns true if the data folder contains an embedded database. Does not create a missing folder, because its name may be a typo. */
export function hasCluster(dataFolder: string): boolean {
  if (!existsSync(dataFolder)) return false;
  const location = choosePostgresLocation(dataFolder, () => undefined);
  return location.ok && existsSync(path.join(location.value.folder, 'cluster'));
}

/**
 * Renames the data folder's cluster if the installed PostgreSQL cannot read its major version, so that a new one is created. Deletes
 * nothing. Requires the lock of the data folder.
 */
export async function setClusterAside(dataFolder: string, log: (line: string) => void): Promise<void> {
  const location = valueOrFail(choosePostgresLocation(dataFolder, log));
  const cluster = path.join(location.folder, 'cluster');
  const stored = clusterMajor(cluster);
  if (stored === null) return;
  const binaries = valueOrFail(findPostgresBinaries(location.user, path.join(LOCATION_FOR_ROOT, 'programs'), log));
  if (stored === programsMajor(binaries)) return;
  await stopOrphanedServer(cluster);
  const aside = freeName(path.join(location.folder, `cluster.postgres-${stored}`));
  renameSync(cluster, aside);
  // The new cluster gets a new password.
  copyFileSync(path.join(location.folder, 'password'), `${aside}.password`);
  log(`moved the data of PostgreSQL ${stored} to ${aside}. Delete it once everything works`);
}

function freeName(wanted: string): string {
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? wanted : `${wanted}-${copy}`;
    if (!existsSync(name)) return name;
  }
}
