import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { backupFolder, listBackups } from '#lib/backups/backup-folder.ts';
import { commandLine } from '#lib/system/installation.mjs';

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
      : `\n- Go back to the last backup, made at ${newest.madeAt}: ${commandLine('restore', path.join(backupFolder(dataFolder), newest.name))} (keeps a copy of the current data).`;
  return `The data in ${cluster} was written by PostgreSQL ${stored}. This version of Hone uses PostgreSQL ${brought}, which can't read it. Nothing was changed. What to do, one of:\n- Move the data to PostgreSQL ${brought}: ${commandLine('upgrade')} (downloads PostgreSQL ${stored} with npm and makes a backup first).${fromBackup}\n- Start the version of Hone that you used before.`;
}
