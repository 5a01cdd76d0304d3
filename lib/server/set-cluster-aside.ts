import { copyFileSync, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { findPostgresBinaries } from '#lib/embedded-database/postgres-binaries.ts';
import {
  choosePostgresLocation,
  clusterMajor,
  LOCATION_FOR_ROOT,
  programsMajor,
} from '#lib/embedded-database/postgres-location.ts';
import { stopOrphanedServer } from '#lib/embedded-database/stop-postgres.ts';
import { valueOrFail } from './start-failure.ts';

/**
 * Renames the data folder's cluster if the installed PostgreSQL cannot read its major version, so that a new one is created. Deletes
 * nothing. Requires the lock of the data folder.
 */
export async function setClusterAside(dataFolder: string, say: (line: string) => void): Promise<void> {
  const location = valueOrFail(choosePostgresLocation(dataFolder, say));
  const cluster = path.join(location.folder, 'cluster');
  const stored = clusterMajor(cluster);
  if (stored === null) return;
  const binaries = valueOrFail(findPostgresBinaries(location.user, path.join(LOCATION_FOR_ROOT, 'programs'), say));
  if (stored === programsMajor(binaries.folder)) return;
  await stopOrphanedServer(cluster);
  const aside = freeName(path.join(location.folder, `cluster.postgres-${stored}`));
  renameSync(cluster, aside);
  // The new cluster gets a new password.
  copyFileSync(path.join(location.folder, 'password'), `${aside}.password`);
  say(`moved the data of PostgreSQL ${stored} to ${aside}. Delete it when everything works`);
}

function freeName(wanted: string): string {
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? wanted : `${wanted}-${copy}`;
    if (!existsSync(name)) return name;
  }
}
