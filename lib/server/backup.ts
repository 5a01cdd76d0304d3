import path from 'node:path';
import { countRows } from '#lib/backups/backup-manifest.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { readArguments } from '#lib/system/read-arguments.ts';
import { connectDatabase, hasCluster } from './connect-database.ts';
import { runCommand } from './run-command.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';
import { writeCommandBackup } from './write-command-backup.ts';

const USAGE = `Usage: ${commandLine('backup', '[file or folder]')}

Writes a backup. The default folder is backups in the data directory. Hone can keep running.`;

/** Writes the whole database to one file. Works while Hone is running or stopped. */
export async function backup(args: string[]): Promise<never> {
  const { operands } = readArguments(USAGE, { options: {}, operands: [0, 1] }, args);
  return runCommand(async (context) => {
    const { environment, dataFolder, ending, log } = context;
    const [target] = operands;
    if (environment.databaseUrl === null && !hasCluster(dataFolder))
      throw new StartFailure(`There is no database in ${dataFolder} yet, so there is nothing to back up.`);
    const name = commandLine('backup');
    const command = { environment, dataFolder, command: name, alone: false, onlyRead: true, ending, log };
    const connectionString = await connectDatabase(command);
    const { file, bytes, manifest } = valueOrFail(await writeCommandBackup(context, connectionString, 'asked', target));
    const { tables } = manifest;
    log(`backup in ${file}: ${countRows(manifest)} rows of ${tables.length} tables, ${bytes} bytes`);
    log(secretNote(environment.secret, dataFolder));
  });
}

function secretNote(secret: string | null, dataFolder: string): string {
  const where = secret === null ? path.join(dataFolder, 'secret.key') : 'HONE_SECRET';
  return `the backup does not contain the secret that encrypts the stored keys and signs the backup. Keep a copy of ${where} in another place`;
}
