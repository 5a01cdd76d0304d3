import { copyFileSync, existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { findPostgresBinaries } from '#lib/embedded-database/postgres-binaries.ts';
import {
  choosePostgresPlace,
  clusterMajor,
  PLACE_FOR_ROOT,
  programsMajor,
} from '#lib/embedded-database/postgres-location.ts';
import { stopLeftServer } from '#lib/embedded-database/stop-postgres.ts';
import { valueOrFail } from './start-failure.ts';

/**
 * Where the data folder's cluster is of another major version than the programs can read, it is put aside under another name, so that
 * a new one is made; nothing of it is deleted. Only with the data folder's lock.
 */
export async function setClusterAside(dataFolder: string, say: (line: string) => void): Promise<void> {
  const place = valueOrFail(choosePostgresPlace(dataFolder, say));
  const cluster = path.join(place.folder, 'cluster');
  const stored = clusterMajor(cluster);
  if (stored === null) return;
  const binaries = valueOrFail(findPostgresBinaries(place.user, path.join(PLACE_FOR_ROOT, 'programs'), say));
  if (stored === programsMajor(binaries.folder)) return;
  await stopLeftServer(cluster);
  const aside = freeName(path.join(place.folder, `cluster.postgres-${stored}`));
  renameSync(cluster, aside);
  // The new cluster gets another one.
  copyFileSync(path.join(place.folder, 'password'), `${aside}.password`);
  say(`moved the data of PostgreSQL ${stored} to ${aside}. Delete it when everything works`);
}

function freeName(wanted: string): string {
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? wanted : `${wanted}-${copy}`;
    if (!existsSync(name)) return name;
  }
}
