import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { applyMigrations } from '#lib/database/apply-migrations.ts';
import { APP_ROLE } from '#lib/embedded-database/create-cluster.ts';
import { startEmbeddedPostgres } from '#lib/embedded-database/embedded-postgres.ts';
import { isAlive, stopLeftServer } from '#lib/embedded-database/stop-postgres.ts';

/** A server for tests. */
export type TestPostgres = { connectionString: string; stop(): Promise<void> };

const PREFIX = 'hone-test-';

/**
 * Starts a PostgreSQL in a temporary folder, on a copy of the database of `preparedData` if that is given (a data directory whose Hone was
 * stopped). Deletes what killed test runs left.
 */
export async function startTestPostgres(preparedData?: string): Promise<TestPostgres> {
  await clearLeftFolders();
  const dataFolder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As root the server's own user must get in.
  chmodSync(dataFolder, 0o711);
  if (preparedData !== undefined) execFileSync('cp', ['-a', path.join(preparedData, 'postgres'), dataFolder]);
  const started = await startEmbeddedPostgres({
    dataFolder,
    say: () => undefined,
    signal: new AbortController().signal,
    durable: false,
  });
  if (!started.ok) throw new Error(started.problem.message);
  const postgres = started.value;
  endWithThisProcess(postgres.processId);
  // Tests make databases and roles of their own, and work on them with the rights that the app has.
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

/** Also when the test run is broken off by a signal, which reaches no teardown. */
function endWithThisProcess(processId: number): void {
  process.once('exit', () => {
    try {
      process.kill(processId, 'SIGQUIT');
    } catch {
      // Stopped already, as it should be.
    }
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

/** The same server and user, another database. */
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

/** The folder's name holds the process that made it. */
async function clearLeftFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const processId = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!(processId > 0) || isAlive(processId)) continue;
    const folder = path.join(tmpdir(), name);
    try {
      await stopLeftServer(path.join(folder, 'postgres/cluster'));
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's: theirs to clear.
    }
  }
}
