import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { backupFolder, listBackups } from '#lib/backups/backup-folder.ts';

/** The major version whose data a cluster's folder holds; null where there is no cluster. */
export function clusterMajor(cluster: string): number | null {
  const file = path.join(cluster, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

/** The major version of PostgreSQL's programs in a folder with `bin/`. */
export function programsMajor(binaries: string): number {
  const program = path.join(binaries, 'bin/postgres');
  const answer = spawnSync(program, ['-V'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(answer.stdout ?? '') ?? [];
  if (major === undefined) throw new Error(`${program} does not say which PostgreSQL it is`);
  return Number(major);
}

/** What to do where the programs can't read the cluster, since it is of another major version; null where they can. */
export function clusterMismatch({
  cluster,
  binaries,
  dataFolder,
}: {
  cluster: string;
  binaries: string;
  dataFolder: string;
}): string | null {
  const [stored, brought] = [clusterMajor(cluster), programsMajor(binaries)];
  if (stored === null || stored === brought) return null;
  const [newest] = listBackups(backupFolder(dataFolder));
  const fromBackup =
    newest === undefined
      ? ''
      : ` Or go back to the last backup, of ${newest.madeAt}: npm run restore -- ${path.join(backupFolder(dataFolder), newest.name)} (what is there now is put aside, not deleted).`;
  return `The data in ${cluster} is of PostgreSQL ${stored}, and this version of Hone brings PostgreSQL ${brought}, which can't read it. Nothing was changed. What to do: npm run upgrade fetches PostgreSQL ${stored} by npm, makes a backup with it and moves everything to PostgreSQL ${brought}.${fromBackup} Or start the version of Hone that you had before.`;
}
