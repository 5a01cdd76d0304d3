import { statSync } from 'node:fs';
import path from 'node:path';
import { backupFolder, newBackupFile } from '#lib/backups/backup-folder.ts';
import { backupKey, countRows } from '#lib/backups/backup-manifest.ts';
import { writeBackup } from '#lib/backups/write-backup.ts';
import { productVersion } from '#lib/context/product-version.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { connectDatabase, hasCluster } from './connect-database.ts';
import { readSecret } from './environment-files.ts';
import { commandLinePath, runCommand } from './run-command.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';

const USAGE = `Usage: ${commandLine('backup', '[file or folder]')}

Writes a backup. The default folder is backups in the data directory. Hone can keep running.`;

/** Writes the whole database to one file. Works while Hone is running or stopped. */
export async function backup(args: string[]): Promise<never> {
  return runCommand(async ({ project, environment, dataFolder, ending, say }) => {
    const [target, ...more] = args;
    if (more.length > 0 || target?.startsWith('-')) throw new StartFailure(USAGE);
    if (environment.databaseUrl === null && !hasCluster(dataFolder))
      throw new StartFailure(`There is no database in ${dataFolder} yet: there is nothing to back up.`);
    const command = { environment, dataFolder, command: commandLine('backup'), alone: false, ending, say };
    const connectionString = await connectDatabase(command);
    const now = new Date();
    const file = chooseFile(target, dataFolder, now);
    const version = productVersion(project);
    const key = backupKey(readSecret(dataFolder, environment.secret));
    const request = { connectionString, file, version, key, now, signal: ending.signal };
    const written = valueOrFail(await writeBackup(request));
    const { tables } = written.manifest;
    say(`backup in ${file}: ${countRows(written.manifest)} rows of ${tables.length} tables, ${written.bytes} bytes`);
    say(secretNote(environment.secret, dataFolder));
  });
}

function chooseFile(target: string | undefined, dataFolder: string, now: Date): string {
  if (target === undefined) return newBackupFile(backupFolder(dataFolder), now, 'asked');
  const file = commandLinePath(target);
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ? newBackupFile(file, now, 'asked') : file;
}

function secretNote(secret: string | null, dataFolder: string): string {
  const where = secret === null ? path.join(dataFolder, 'secret.key') : 'HONE_SECRET';
  return `not in it: the secret that opens the stored keys, and that the backup is signed with. Keep a copy of ${where} in another place`;
}
