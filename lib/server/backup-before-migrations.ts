import { backupFolder, dropOldBackups, dropUnfinishedBackups, newBackupFile } from '#lib/backups/backup-folder.ts';
import { type WrittenBackup, writeBackup } from '#lib/backups/write-backup.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type BeforeMigrations, hasTable } from '#lib/database/apply-migrations.ts';
import { withDatabase } from '#lib/database/database.ts';

type Options = {
  connectionString: string;
  dataFolder: string;
  /** Of Hone. */
  version: string;
  /** Key that signs the backup. */
  key: Buffer;
  now: () => Date;
  log(line: string): void;
};

/**
 * Creates a backup before migrations change a database that has runs. If the backup fails, the migrations are not applied. Keeps the last
 * five backups.
 */
export function backupBeforeMigrations(options: Options): BeforeMigrations {
  const { connectionString, log } = options;
  return async (missing) => {
    if (!(await hasRuns(connectionString))) return succeed(null);
    log(`database: ${missing.length} migration(s) to apply, creating a backup first`);
    const written = await createBackup(options);
    if (!written.ok)
      return fail(
        'unavailable',
        `${written.problem.message} No migration was applied. Fix the problem, then start Hone again.`,
      );
    log(`database: backup in ${written.value.file}`);
    return written;
  };
}

async function createBackup({
  connectionString,
  dataFolder,
  version,
  key,
  now,
}: Options): Promise<Result<WrittenBackup>> {
  const folder = backupFolder(dataFolder);
  try {
    dropUnfinishedBackups(folder, now());
    const file = newBackupFile(folder, now(), 'migration');
    const written = await writeBackup({ connectionString, file, version, key, now: now() });
    if (written.ok) dropOldBackups(folder);
    return written;
  } catch (error) {
    return fail(
      'unavailable',
      `No backup could be made in ${folder}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function hasRuns(connectionString: string): Promise<boolean> {
  return withDatabase(connectionString, async (database) => {
    if (!(await hasTable(database.pool, 'runs'))) return false;
    return (await database.prisma.run.findFirst({ select: { id: true } })) !== null;
  });
}
