import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { withClient } from '#lib/database/connections.ts';
import { idleAccount } from '#lib/system/server-user.ts';
import { SERVER_ENVIRONMENT } from './postgres-binaries.ts';
import { changeOwner, type PostgresLocation } from './postgres-location.ts';

/** File of the superuser's password, used only by the launcher. A new password is stored next to it until the server has accepted it. */
const SUPERUSER_PASSWORD_FILE = 'password';
const NEXT_SUPERUSER_PASSWORD_FILE = 'password.next';
const APP_PASSWORD_FILE = 'app-password';

/** Creates the superuser's password for a new cluster in `folder`. */
function makeSuperuserPassword(folder: string): string {
  rmSync(path.join(folder, NEXT_SUPERUSER_PASSWORD_FILE), { force: true });
  return writePassword(folder, SUPERUSER_PASSWORD_FILE);
}

/** Returns the possible superuser passwords, most likely first. After a kill it is unknown if the server has accepted the next one. */
export function superuserPasswords(folder: string): string[] {
  return [NEXT_SUPERUSER_PASSWORD_FILE, SUPERUSER_PASSWORD_FILE].flatMap((name) => readPassword(folder, name) ?? []);
}

/**
 * Returns the next superuser password, or null to keep the current one. It is replaced if its file does not belong to the owner of the
 * folder. Earlier versions gave the file to `nobody`, so another user could read it.
 */
export function nextSuperuserPassword(folder: string): string | null {
  const waiting = readPassword(folder, NEXT_SUPERUSER_PASSWORD_FILE);
  if (waiting !== null) return waiting;
  const wasOpen = lstatSync(path.join(folder, SUPERUSER_PASSWORD_FILE)).uid !== lstatSync(folder).uid;
  return wasOpen ? writePassword(folder, NEXT_SUPERUSER_PASSWORD_FILE) : null;
}

/** Makes the next superuser password the current one. Called after the server has accepted it. */
export function saveNextPassword(folder: string): void {
  renameSync(path.join(folder, NEXT_SUPERUSER_PASSWORD_FILE), path.join(folder, SUPERUSER_PASSWORD_FILE));
}

/** Returns the password of the app's role. Creates it if it does not exist. */
export function appPassword(folder: string): string {
  return findAppPassword(folder) ?? writePassword(folder, APP_PASSWORD_FILE);
}

/** Returns the password of the app's role. Null if the server was started by a version without a separate role for the app. */
export function findAppPassword(folder: string): string | null {
  return readPassword(folder, APP_PASSWORD_FILE);
}

/** Returns the superuser's password, needed for a server that was started by an earlier version. */
export function findSuperuserPassword(folder: string): string | null {
  return readPassword(folder, SUPERUSER_PASSWORD_FILE);
}

function readPassword(folder: string, name: string): string | null {
  const file = path.join(folder, name);
  if (!existsSync(file)) return null;
  const password = readFileSync(file, 'utf8').trim();
  return password === '' ? null : password;
}

/** Writes the file atomically and readable only by the folder's owner, even if root starts another user's cluster. */
function writePassword(folder: string, name: string): string {
  const password = randomBytes(24).toString('base64url');
  const file = path.join(folder, name);
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
  const { uid, gid } = lstatSync(folder);
  if (process.getuid?.() === 0 && uid !== 0) chownSync(unfinished, uid, gid);
  renameSync(unfinished, file);
  return password;
}

type Options = { location: PostgresLocation; binaries: string; durable: boolean; signal: AbortSignal };

/**
 * Returns the cluster's folder, and creates it if needed. A new cluster is built under another name, so that an incomplete one is never
 * used.
 */
export async function createCluster({ location, binaries, durable, signal }: Options): Promise<Result<string>> {
  const folder = path.join(location.folder, 'cluster');
  if (existsSync(folder)) return succeed(folder);

  for (const name of readdirSync(location.folder).filter((entry) => /^(cluster\.new|password\.initdb)-/.test(entry))) {
    rmSync(path.join(location.folder, name), { recursive: true, force: true });
  }
  const unfinished = `${folder}.new-${process.pid}-${Date.now()}`;
  const failure = await runInitdb({ location, binaries, durable, signal }, unfinished);
  if (failure !== null) {
    rmSync(unfinished, { recursive: true, force: true });
    return fail('unavailable', failure);
  }
  if (location.user !== null) changeOwner(unfinished, location.user);
  renameSync(unfinished, folder);
  return succeed(folder);
}

/** Makes the cluster independent of the locale of the machine. */
const CLUSTER_FLAGS = [
  '--username=hone',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--no-instructions',
];

/** Runs initdb as an account without processes, because initdb rejects a user id that has no account. */
async function runInitdb({ location, binaries, durable, signal }: Options, folder: string): Promise<string | null> {
  const user = location.user && { uid: idleAccount().uid, gid: location.user.gid };
  const passwordFile = path.join(location.folder, `password.initdb-${process.pid}`);
  writeFileSync(passwordFile, `${makeSuperuserPassword(location.folder)}\n`, { mode: 0o600 });
  mkdirSync(folder, { mode: 0o700 });
  if (user !== null) for (const made of [passwordFile, folder]) chownSync(made, user.uid, user.gid);
  const flags = [...CLUSTER_FLAGS, `--pgdata=${folder}`, `--pwfile=${passwordFile}`, ...(durable ? [] : ['--no-sync'])];
  const child = spawn(path.join(binaries, 'bin/initdb'), flags, {
    ...user,
    cwd: location.folder,
    detached: true,
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  // Kill the whole process group, because initdb starts child processes.
  const kill = () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', kill);
  const outcome = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, endedBy) =>
      resolve(code === 0 ? null : errors.join('').trim() || `it ended with ${endedBy ?? code}`),
    );
    if (signal.aborted) kill();
  });
  signal.removeEventListener('abort', kill);
  rmSync(passwordFile, { force: true });
  if (outcome === null) return null;
  const reason = /effective user ID/.test(outcome)
    ? `user ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs`
    : outcome;
  return `PostgreSQL could not create its data folder in ${location.folder}: ${reason}. Fix that, or set DATABASE_URL to your own PostgreSQL server.`;
}

/**
 * Roles of the embedded server. `hone` created the cluster and is its permanent superuser. Only the launcher uses it. The app and the other
 * commands use `hone_app`, which owns Hone's database and has no other privileges.
 */
export const SUPERUSER_ROLE = 'hone';
export const APP_ROLE = 'hone_app';

/** Returns the connection string of a database of the embedded server, through its unix socket. */
export function socketAddress(
  socketFolder: string,
  { role, password, database }: { role: string; password: string; database: string },
): string {
  return `postgresql://${role}:${password}@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}`;
}

type Roles = {
  socketFolder: string;
  superuser: string;
  /** The superuser's next password. Null to keep the current one. */
  nextSuperuser: string | null;
  app: string;
};

/**
 * Creates the app's role and database if missing, and gives the role ownership of everything in the database. This includes objects of
 * earlier versions that ran as superuser. Each step is idempotent.
 */
export async function prepareRoles({ socketFolder, superuser, nextSuperuser, app }: Roles): Promise<void> {
  const address = (database: string, password: string) =>
    socketAddress(socketFolder, { role: SUPERUSER_ROLE, password, database });
  await withClient(address('postgres', superuser), async (client) => {
    const { rows } = await client.query<{ hasRole: boolean; hasDatabase: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_ROLE}') AS "hasRole",
         EXISTS (SELECT FROM pg_database WHERE datname = 'hone') AS "hasDatabase"`,
    );
    const statements = [
      ...(nextSuperuser === null ? [] : [`ALTER ROLE ${SUPERUSER_ROLE} PASSWORD ${pg.escapeLiteral(nextSuperuser)}`]),
      `${rows[0]?.hasRole ? 'ALTER' : 'CREATE'} ROLE ${APP_ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       PASSWORD ${pg.escapeLiteral(app)}`,
      rows[0]?.hasDatabase ? `ALTER DATABASE hone OWNER TO ${APP_ROLE}` : CREATE_DATABASE,
    ];
    for (const statement of statements) await client.query(statement);
  });
  await withClient(address('hone', nextSuperuser ?? superuser), (client) => client.query(GIVE_ALL));
}

/** SQL statement that creates Hone's database. */
export const CREATE_DATABASE = `CREATE DATABASE hone OWNER ${APP_ROLE}`;

/** REASSIGN OWNED fails for the cluster's first role, because it also owns the system objects. */
const GIVE_ALL = `DO $$
DECLARE statement text;
BEGIN
  FOR statement IN
    WITH ours AS (
      SELECT oid, nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    ), superuser AS (SELECT oid FROM pg_roles WHERE rolname = '${SUPERUSER_ROLE}')
    SELECT format('ALTER SCHEMA %I OWNER TO ${APP_ROLE}', s.nspname)
      FROM pg_namespace s JOIN ours USING (oid) WHERE s.nspowner IN (SELECT oid FROM superuser)
    UNION ALL
    SELECT format('ALTER TABLE %s OWNER TO ${APP_ROLE}', c.oid::regclass)
      FROM pg_class c JOIN ours o ON o.oid = c.relnamespace
      WHERE c.relowner IN (SELECT oid FROM superuser) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        -- A column's sequence follows its table.
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND c.relkind = 'S' AND d.refobjsubid > 0 AND d.deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${APP_ROLE}', p.oid::regprocedure)
      FROM pg_proc p JOIN ours o ON o.oid = p.pronamespace WHERE p.proowner IN (SELECT oid FROM superuser)
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${APP_ROLE}', t.oid::regtype)
      FROM pg_type t JOIN ours o ON o.oid = t.typnamespace
      WHERE t.typowner IN (SELECT oid FROM superuser) AND t.typtype IN ('e', 'd', 'r')
  LOOP
    EXECUTE statement;
  END LOOP;
END $$`;
