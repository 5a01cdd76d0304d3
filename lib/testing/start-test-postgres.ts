import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations } from '#lib/database/apply-migrations.ts';
import { APP_ROLE } from '#lib/embedded-database/create-cluster.ts';
import { startEmbeddedPostgres } from '#lib/embedded-database/embedded-postgres.ts';
import { isAlive, stopOrphanedServer } from '#lib/embedded-database/stop-postgres.ts';

export type TestPostgres = { connectionString: string; stop(): Promise<void> };

const PREFIX = 'hone-test-';

/**
 * Starts PostgreSQL in a temporary folder. Uses a copy of the database of `preparedData`, if given (a data directory whose Hone was
 * stopped). Deletes the leftovers of killed test runs.
 */
export async function startTestPostgres(preparedData?: string): Promise<TestPostgres> {
  await clearLeftFolders();
  const dataFolder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As root, the separate PostgreSQL user must be able to enter this folder.
  chmodSync(dataFolder, 0o711);
  if (preparedData !== undefined) execFileSync('cp', ['-a', path.join(preparedData, 'postgres'), dataFolder]);
  const started = await startEmbeddedPostgres({
    dataFolder,
    log: () => undefined,
    signal: new AbortController().signal,
    durable: false,
  });
  if (!started.ok) throw new Error(started.problem.message);
  const postgres = started.value;
  endWithThisProcess(postgres.processId);
  // Tests create databases and roles, and use them with the app's permissions.
  await runStatement(postgres.superuserAddress, `ALTER ROLE ${APP_ROLE} CREATEDB CREATEROLE`);
  const stop = async () => {
    await postgres.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  };
  return { connectionString: postgres.connectionString, stop };
}

/** Creates a migrated, empty database to copy on the server. Returns its name. */
export async function createTemplate(connectionString: string): Promise<string> {
  const templateName = 'hone_template';
  await runStatement(connectionString, `CREATE DATABASE ${templateName}`);
  const migrated = await applyMigrations(
    withDatabase(connectionString, templateName),
    path.resolve('prisma/migrations'),
  );
  if (!migrated.ok) throw new Error(migrated.problem.message);
  return templateName;
}

/** Stops PostgreSQL also if a signal ends the test run, in which case no teardown runs. */
function endWithThisProcess(processId: number): void {
  process.once('exit', () => {
    try {
      process.kill(processId, 'SIGQUIT');
    } catch {
      // The server has already stopped, as expected.
    }
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

/** Returns the connection string of another database on the same server with the same user. */
export function withDatabase(connectionString: string, name: string): string {
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  return address.href;
}

async function runStatement(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Deletes the folders of dead processes, whose ID is in the folder name. */
async function clearLeftFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const processId = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!(processId > 0) || isAlive(processId)) continue;
    const folder = path.join(tmpdir(), name);
    try {
      await stopOrphanedServer(path.join(folder, 'postgres/cluster'));
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user, who must delete it.
    }
  }
}
