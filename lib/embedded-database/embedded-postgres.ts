import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmdirSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { withClient } from '#lib/database/connections.ts';
import { canEnter, type ServerUser } from '#lib/system/server-user.ts';
import {
  APP_ROLE,
  appPassword,
  createCluster,
  nextSuperuserPassword,
  prepareRoles,
  SUPERUSER_ROLE,
  saveNextPassword,
  socketAddress,
  superuserPasswords,
} from './create-cluster.ts';
import { describeFullDisk } from './full-disk.ts';
import { findPostgresBinaries, SERVER_ENVIRONMENT } from './postgres-binaries.ts';
import {
  assignServerUser,
  choosePostgresLocation,
  clusterMismatch,
  LOCATION_FOR_ROOT,
  type PostgresLocation,
} from './postgres-location.ts';
import { stopOrphanedServer, stopServer } from './stop-postgres.ts';

/** An embedded PostgreSQL server that is reachable only through a unix socket. */
export type EmbeddedPostgres = {
  /** Connects to the database `hone` as its owner, which is not a superuser. The same after a restart. */
  connectionString: string;
  /** Connects to the maintenance database as superuser. For the launcher only, never for the app. */
  superuserAddress: string;
  processId: number;
  /** Folder of the cluster and the server's log. */
  folder: string;
  /** Resolves with the reason when the server has exited, after `stop` or unexpectedly. */
  ended: Promise<string>;
  /** Resolves when no process is left. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Created if it does not exist. */
  dataFolder: string;
  /** Reports progress to the user. */
  log(line: string): void;
  /** Cancels the start without leaving a process behind. */
  signal: AbortSignal;
  /** False for test databases: faster, but data may be lost in a power failure. */
  durable?: boolean;
  /** Folder of a PostgreSQL package to use instead of the one installed by `npm ci`. */
  packageFolder?: string;
};

/**
 * Starts the server on the data folder. Creates the cluster on the first start. Stops a server that a killed parent process left running.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<Result<EmbeddedPostgres>> {
  const { dataFolder, log, signal, durable = true, packageFolder = null } = options;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const location = choosePostgresLocation(dataFolder, log);
  if (!location.ok) return location;
  const binaries = findPostgresBinaries(
    location.value.user,
    path.join(LOCATION_FOR_ROOT, 'programs'),
    log,
    packageFolder,
  );
  if (!binaries.ok) return binaries;
  const cluster = await createCluster({ location: location.value, binaries: binaries.value, durable, signal });
  if (!cluster.ok) return cluster;
  const mismatch = clusterMismatch({ cluster: cluster.value, binaries: binaries.value, dataFolder });
  if (mismatch !== null) return fail('conflict', mismatch);
  const left = await stopOrphanedServer(cluster.value);
  if (left !== null)
    log(`took over the database of a killed process, whose PostgreSQL (process ${left}) was still running`);
  if (signal.aborted) return fail('unavailable', 'The start was canceled.');
  if (location.value.isShared)
    log(
      'PostgreSQL now runs as a separate user. Its files belonged to the user `nobody`, which other programs also use',
    );
  return startServer({
    location: assignServerUser(location.value),
    cluster: cluster.value,
    program: path.join(binaries.value, 'bin/postgres'),
    durable,
    signal,
  });
}

type Server = { location: PostgresLocation; cluster: string; program: string; durable: boolean; signal: AbortSignal };

async function startServer({ location, cluster, program, durable, signal }: Server): Promise<Result<EmbeddedPostgres>> {
  const socketFolder = makeSocketFolder(cluster, location.user);
  const logFile = path.join(location.folder, 'postgres.log');
  const child = spawnServer(program, serverFlags(cluster, socketFolder, durable), location, logFile);
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, endedBy) =>
      resolve(endedBy === null ? `it ended with code ${code}` : `it was ended by ${endedBy}`),
    );
  });
  const processId = child.pid;
  if (processId === undefined) return fail('unavailable', `PostgreSQL could not be started: ${await ended}`);
  const stop = async () => {
    await stopServer(processId, { politeMs: 1500, firmMs: 400 });
    removeSocketFolder(socketFolder);
  };

  const ready = await waitUntilReady(socketFolder, superuserPasswords(location.folder), child, signal);
  const prepared = ready.ok ? await prepareDatabase(location.folder, socketFolder, ready.value) : ready;
  const failure = prepared.ok ? getAbortReason(signal) : prepared.problem.message;
  if (!prepared.ok || failure !== null) {
    await stop();
    const full = describeFullDisk(location.folder);
    return fail(
      'unavailable',
      `PostgreSQL did not start: ${full ?? `${failure}.`} The end of its log (${logFile}):\n${lastLines(logFile)}`,
    );
  }
  return succeed({ ...prepared.value, processId, folder: location.folder, ended, stop });
}

/** Prepares the database as superuser after each start of the server. */
async function prepareDatabase(
  folder: string,
  socketFolder: string,
  superuser: string,
): Promise<Result<Pick<EmbeddedPostgres, 'connectionString' | 'superuserAddress'>>> {
  const nextSuperuser = nextSuperuserPassword(folder);
  const app = appPassword(folder);
  try {
    await prepareRoles({ socketFolder, superuser, nextSuperuser, app });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail('unavailable', `its database could not be created (${reason})`);
  }
  if (nextSuperuser !== null) saveNextPassword(folder);
  const maintenance = { role: SUPERUSER_ROLE, password: nextSuperuser ?? superuser, database: 'postgres' };
  return succeed({
    connectionString: socketAddress(socketFolder, { role: APP_ROLE, password: app, database: 'hone' }),
    superuserAddress: socketAddress(socketFolder, maintenance),
  });
}

function serverFlags(cluster: string, socketFolder: string, durable: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${socketFolder}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Statements contain user data, which must not be logged.
    log_min_error_statement: 'panic',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Starts the server in its own session, because Ctrl-C signals the whole process group. Output goes to a file, because a pipe would break
 * when this process exits.
 */
function spawnServer(program: string, flags: string[], location: PostgresLocation, logFile: string): ChildProcess {
  const tooLong = (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000;
  const log = openSync(logFile, tooLong ? 'w' : 'a', 0o600);
  try {
    return spawn(program, flags, {
      ...location.user,
      cwd: location.folder,
      detached: true,
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/**
 * Waits until the server accepts queries and returns the superuser's password. Recovery after a power failure may take minutes, so there is
 * no timeout. The wait ends only when the server exits or the start is canceled.
 */
async function waitUntilReady(
  socketFolder: string,
  passwords: string[],
  child: ChildProcess,
  signal: AbortSignal,
): Promise<Result<string>> {
  const left = [...passwords];
  for (;;) {
    const given = getAbortReason(signal);
    if (given !== null) return fail('unavailable', given);
    if (child.exitCode !== null || child.signalCode !== null)
      return fail('unavailable', `it ended with ${child.signalCode ?? child.exitCode}`);
    const [password] = left;
    if (password === undefined) return fail('unavailable', 'its password file does not fit the cluster');
    const problem = await tryConnection(
      socketAddress(socketFolder, { role: SUPERUSER_ROLE, password, database: 'postgres' }),
    );
    if (problem === null) return succeed(password);
    // 28P01: wrong password. Retrying with the same one is useless.
    if (problem.includes('28P01')) left.shift();
    else await sleep(20);
  }
}

/** Tries to connect and returns the error, or null. A server that is not ready for queries rejects connections. */
async function tryConnection(connectionString: string): Promise<string | null> {
  try {
    await withClient(connectionString, async () => undefined, { connectionTimeoutMillis: 2000 });
    return null;
  } catch (error) {
    return error instanceof pg.DatabaseError ? `${error.code} ${error.message}` : String(error);
  }
}

function getAbortReason(signal: AbortSignal): string | null {
  return signal.aborted ? 'the start was canceled' : null;
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-12).join('\n');
}

/** Longest path of a unix socket, in bytes: 107 on Linux, 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * Creates a private folder for the server's socket, owned by the server's user. The path is stable per cluster and short enough for a
 * socket. A folder of that name owned by another user is never used.
 */
function makeSocketFolder(cluster: string, user: ServerUser | null): string {
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const name = `hone-${createHash('sha256').update(`${owner}:${cluster}`).digest('hex').slice(0, 12)}`;
  const parent = [tmpdir(), '/tmp'].find(
    (folder) => fits(path.join(folder, name)) && (user === null || canEnter(user, folder)),
  );
  if (parent === undefined)
    throw new Error(
      `no folder for the socket of PostgreSQL: the paths ${tmpdir()} and /tmp are too long or not accessible to user ${owner}. Set TMPDIR to a short path, or DATABASE_URL.`,
    );
  const folder = path.join(parent, name);
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (user !== null) chownSync(folder, user.uid, user.gid);
    return folder;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0) return folder;
  const other = mkdtempSync(path.join(parent, 'hone-'));
  if (user !== null) chownSync(other, user.uid, user.gid);
  return other;
}

/** Removes the socket's folder. Called after the server has removed its socket. */
function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty or already gone. The next start reuses or recreates it.
  }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
}
