import path from 'node:path';
import { insertAudit } from '#lib/audit/queries.ts';
import { type BackupManifest, backupKey, countRows } from '#lib/backups/backup-manifest.ts';
import { inspectBackup, unsignedWarning } from '#lib/backups/inspect-backup.ts';
import { restoreBackup } from '#lib/backups/restore-backup.ts';
import { applyMigrations, hasTable } from '#lib/database/apply-migrations.ts';
import { withClient } from '#lib/database/connections.ts';
import { withDatabase } from '#lib/database/database.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { readArguments } from '#lib/system/read-arguments.ts';
import { connectDatabase, setClusterAside } from './connect-database.ts';
import { findSecret } from './environment-files.ts';
import { type CommandContext, commandLinePath, runCommand } from './run-command.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';
import { writeCommandBackup } from './write-command-backup.ts';

const USAGE = `Usage: ${commandLine('restore', '<file> [--replace [--no-backup]] [--foreign]')}

Restores a backup into the empty database of HONE_DATA_DIR or DATABASE_URL. Stop every Hone process on it first.
  --replace     replace the current data, after a backup of it
  --no-backup   skip that backup
  --foreign     accept a backup that this installation did not sign`;
const FLAGS = {
  replace: { type: 'boolean', default: false },
  'no-backup': { type: 'boolean', default: false },
  foreign: { type: 'boolean', default: false },
} as const;
const FOREIGN =
  'A backup decides who can sign in, with which role, and what runs. Nothing was changed. If you trust its source and everyone who could have changed it, run the command again with --foreign.';

/** Restores a backup atomically. */
export async function restore(args: string[]): Promise<never> {
  const { values, operands } = readArguments(USAGE, { options: FLAGS, operands: [1, 1] }, args);
  const [backupFile = ''] = operands;
  return runCommand(async (context) => {
    const file = commandLinePath(backupFile);
    // Checks the backup before anything changes. It is verified again while it is read.
    const secret = findSecret(context.dataFolder, context.environment.secret);
    const key = secret === null ? null : backupKey(secret);
    const inspected = await inspectBackup(file, key);
    if (!inspected.ok) throw new StartFailure(`${inspected.problem.message} Nothing was changed.`);
    const note = unsignedWarning(file, inspected.value.signedBy);
    const { replace, foreign } = values;
    if (note !== null && !foreign) throw new StartFailure(`${note} ${FOREIGN}`);
    if (note !== null) context.log(`${note} Restoring it because of --foreign`);
    const how = { replace, keep: !values['no-backup'], key, foreign };
    await runRestore(context, file, how);
  });
}

async function runRestore(
  context: CommandContext,
  file: string,
  { replace, keep, key, foreign }: { replace: boolean; keep: boolean; key: Buffer | null; foreign: boolean },
): Promise<void> {
  const { project, environment, dataFolder, ending, log } = context;
  const prepare = () => setClusterAside(dataFolder, log);
  const command = { environment, dataFolder, command: commandLine('restore'), alone: true, prepare, ending, log };
  const connectionString = await connectDatabase(command);
  if (replace && keep) await backupFirst(context, connectionString);
  const migrationsFolder = path.join(project, 'prisma/migrations');
  const request = { connectionString, file, migrationsFolder, replace, key, foreign };
  const manifest = valueOrFail(await restoreBackup(request));
  const { applied } = valueOrFail(await applyMigrations(connectionString, migrationsFolder));
  await recordRestore(connectionString, file, manifest);
  log(`restored ${file}, created ${manifest.madeAt}: ${countRows(manifest)} rows of ${manifest.tables.length} tables`);
  if (applied.length > 0) log(`database: ${applied.length} newer migration(s) applied`);
  log(
    'runs in progress continue when Hone starts. Everyone must sign in again, and open invitations must be sent again',
  );
  log('members, tokens and roles are those of the backup. Review them if you have removed some since then');
}

/** Backs up the current data, so that it can be recovered. */
async function backupFirst(context: CommandContext, connectionString: string): Promise<void> {
  if (!(await withClient(connectionString, (client) => hasTable(client, '_prisma_migrations')))) return;
  const written = await writeCommandBackup(context, connectionString, 'restore');
  if (!written.ok)
    throw new StartFailure(
      `${written.problem.message} Nothing was restored. Fix the problem, or add --no-backup to replace the current data without a backup.`,
    );
  context.log(`the previous data is in ${written.value.file}`);
}

async function recordRestore(connectionString: string, file: string, manifest: BackupManifest): Promise<void> {
  await withDatabase(connectionString, ({ prisma }) =>
    insertAudit(prisma, {
      actorId: 'hone',
      actor: 'Hone',
      role: 'none',
      via: 'system',
      entry: 'npm run restore',
      act: 'restored',
      subject: { kind: 'backup', id: null, name: path.basename(file) },
      change: { madeAt: manifest.madeAt, rows: countRows(manifest) },
      outcome: 'done',
      address: null,
    }),
  );
}
