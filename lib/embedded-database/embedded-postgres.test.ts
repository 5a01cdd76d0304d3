import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withClient } from '#lib/database/connections.ts';
import { NOBODY } from '#lib/system/server-user.ts';
import { withDatabase } from '#lib/testing/start-test-postgres.ts';
import { CREATE_DATABASE } from './create-cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';

let dataFolder: string;

beforeEach(() => {
  dataFolder = makeFolder();
});

function makeFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-embedded-'));
  // As root the server's own user must get in.
  chmodSync(folder, 0o711);
  return folder;
}

let madeFolder: string | null = null;
afterAll(() => madeFolder && rmSync(madeFolder, { recursive: true, force: true }));

/** Begins with a database that was made before: to make one takes most of the time of a start. */
async function useMadeDatabase(): Promise<void> {
  if (madeFolder === null) {
    await withServer(async () => undefined);
    madeFolder = makeFolder();
    execFileSync('cp', ['-a', path.join(dataFolder, 'postgres'), madeFolder]);
  } else execFileSync('cp', ['-a', path.join(madeFolder, 'postgres'), dataFolder]);
}

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Does `act` when the server is asked to make Hone's database, which is the last step of its start. */
function whenDatabaseIsMade(act: () => void): void {
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    if (given[0] === CREATE_DATABASE) act();
    return query.apply(this, given);
  });
}

const start = (signal: AbortSignal) =>
  startEmbeddedPostgres({ dataFolder, say: () => undefined, signal, durable: false });

function serversLeft(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandOf)
    .filter((command) => command.includes(dataFolder));
}

function commandOf(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test.runIf(process.platform === 'linux')(
  'a start given up while the database is being made leaves no server',
  async () => {
    const givingUp = new AbortController();
    whenDatabaseIsMade(() => givingUp.abort());
    const started = await start(givingUp.signal);
    expect(serversLeft()).toEqual([]);
    expect(started).toMatchObject({ ok: false, problem: { message: expect.stringContaining('given up') } });
  },
);

test.runIf(process.platform === 'linux')('a database that cannot be made is told, and leaves no server', async () => {
  whenDatabaseIsMade(() => {
    throw new Error('no space left');
  });
  const started = await start(new AbortController().signal);
  expect(serversLeft()).toEqual([]);
  expect(started).toMatchObject({ ok: false, problem: { message: expect.stringContaining('no space left') } });
});

const isRoot = process.getuid?.() === 0;

async function started(): Promise<EmbeddedPostgres> {
  const result = await start(new AbortController().signal);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

/** Does `work` with a server that is stopped at its end. */
async function withServer<Value>(work: (server: EmbeddedPostgres) => Promise<Value>): Promise<Value> {
  const server = await started();
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

const run = (address: string, statements: string[]) =>
  withClient(address, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

test('the app owns its database and is no superuser: it runs no programs and reads no files', async () => {
  await withServer(async ({ connectionString }) => {
    await run(connectionString, ['CREATE TABLE mine (x text)', 'CREATE SCHEMA also_mine']);
    for (const statement of [
      "COPY mine FROM PROGRAM 'id'",
      "COPY mine FROM '/etc/passwd'",
      "SELECT pg_read_file('/etc/passwd')",
      "SELECT lo_import('/etc/passwd')",
      'CREATE ROLE other SUPERUSER',
      'ALTER ROLE hone_app SUPERUSER',
      'SET ROLE hone',
    ])
      await expect(run(connectionString, [statement]), statement).rejects.toMatchObject({ code: '42501' });
    await withClient(connectionString, async (client) => {
      const { rows } = await client.query(
        `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS may
         FROM pg_roles WHERE rolname = current_user`,
      );
      expect(rows).toEqual([{ may: false }]);
    });
  });
});

const BELOW = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

test.runIf(isRoot)('started as root, no program of user nobody reads its files or gets to the server', async () => {
  await useMadeDatabase();
  await withServer(async (server) => {
    const place = path.join(dataFolder, 'postgres');
    const socket = new URL(server.connectionString).searchParams.get('host') ?? '';
    const script = `
      const fs = require('node:fs');
      const could = [];
      const tries = (name, work) => { try { work(); could.push(name); } catch {} };
      for (const file of ${JSON.stringify(BELOW(place))}) {
        tries('read ' + file, () => fs.readFileSync(${JSON.stringify(place)} + '/' + file));
        tries('list ' + file, () => fs.readdirSync(${JSON.stringify(place)} + '/' + file));
      }
      for (const folder of ${JSON.stringify([place, socket])}) tries('list ' + folder, () => fs.readdirSync(folder));
      tries('signal', () => process.kill(${server.processId}, 0));
      tries('memory', () => fs.openSync('/proc/${server.processId}/mem', 'r'));
      const client = require('node:net').connect(${JSON.stringify(socket)} + '/.s.PGSQL.5432');
      const end = (more) => { console.log(JSON.stringify([...could, ...more])); process.exit(); };
      client.on('connect', () => end(['connect'])).on('error', () => end([]));`;
    const answer = spawnSync(process.execPath, ['-e', script], { ...NOBODY, cwd: '/', encoding: 'utf8' });
    expect(answer).toMatchObject({ status: 0, stdout: '[]\n' });
    expect(BELOW(place)).toEqual(expect.arrayContaining(['password', 'app-password', 'cluster/base']));
    expect(statSync(`/proc/${server.processId}`).uid).not.toBe(NOBODY.uid);
  });
});

/** As the version before left it: one role for all, which is superuser; for root, every file nobody's. */
async function makeOldFolder(): Promise<string> {
  const place = path.join(dataFolder, 'postgres');
  await useMadeDatabase();
  await withServer(async ({ superuserAddress }) => {
    await run(superuserAddress, ['ALTER DATABASE hone OWNER TO hone', 'DROP ROLE hone_app']);
    await run(withDatabase(superuserAddress, 'hone'), [
      'CREATE TABLE kept (id serial PRIMARY KEY, made int GENERATED ALWAYS AS IDENTITY, text text)',
      "INSERT INTO kept (text) VALUES ('still here')",
      'CREATE FUNCTION refuses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      'CREATE SCHEMA pgboss',
      "CREATE TYPE pgboss.state AS ENUM ('created')",
      'CREATE TABLE pgboss.job (name text, state pgboss.state) PARTITION BY LIST (name)',
      "CREATE TABLE pgboss.job_one PARTITION OF pgboss.job FOR VALUES IN ('one')",
      'CREATE VIEW pgboss.jobs AS SELECT * FROM pgboss.job',
      'CREATE SEQUENCE pgboss.alone',
    ]);
  });
  rmSync(path.join(place, 'app-password'));
  if (isRoot) for (const name of ['', ...BELOW(place)]) lchownSync(path.join(place, name), NOBODY.uid, NOBODY.gid);
  return place;
}

const ALL_OWNERS = `
  SELECT DISTINCT pg_get_userbyid(owner) AS owner FROM (
    SELECT relowner, relnamespace FROM pg_class UNION ALL SELECT proowner, pronamespace FROM pg_proc
    UNION ALL SELECT typowner, typnamespace FROM pg_type
  ) AS things (owner, space) WHERE space IN ('public'::regnamespace, 'pgboss'::regnamespace)
  UNION SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'pgboss'
  UNION SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'hone'`;

async function expectChangedOver(): Promise<void> {
  await withServer(({ connectionString }) =>
    withClient(connectionString, async (client) => {
      expect((await client.query('SELECT text FROM kept')).rows).toEqual([{ text: 'still here' }]);
      expect((await client.query(ALL_OWNERS)).rows).toEqual([{ owner: 'hone_app' }]);
      await client.query(
        "ALTER TABLE kept ADD more text; INSERT INTO kept (text) VALUES ('and more'); DROP SCHEMA pgboss CASCADE",
      );
    }),
  );
}

test('a folder of the version before opens with its rows, and the app owns all of it', async () => {
  const place = await makeOldFolder();
  const before = readFileSync(path.join(place, 'password'), 'utf8');
  await expectChangedOver();
  const owners = new Set(
    ['cluster', ...BELOW(path.join(place, 'cluster')).map((name) => `cluster/${name}`)].map(
      (name) => statSync(path.join(place, name)).uid,
    ),
  );
  expect(owners.size).toBe(1);
  expect(owners.has(NOBODY.uid)).toBe(false);
  // Other programs of user nobody could read the old one.
  expect(readFileSync(path.join(place, 'password'), 'utf8') === before).toBe(!isRoot);
  expect(readdirSync(place)).not.toContain('password.next');
});

test.runIf(isRoot)('a change of users that was killed half way is done by the next start', async () => {
  const place = await makeOldFolder();
  // The folder is closed, some files have their new owner, others not.
  lchownSync(place, 0, 0);
  chmodSync(place, 0o700);
  for (const name of ['', 'base', 'base/1', 'global']) lchownSync(path.join(place, 'cluster', name), 60_600, 60_600);
  await expectChangedOver();
});

test.each([
  ['before the server took it', false],
  ['after', true],
])('a new superuser password is found when the start was killed %s', async (_when, taken) => {
  const place = path.join(dataFolder, 'postgres');
  await useMadeDatabase();
  await withServer(async ({ superuserAddress }) => {
    if (taken) await run(superuserAddress, ["ALTER ROLE hone PASSWORD 'the-next-one'"]);
  });
  writeFileSync(path.join(place, 'password.next'), 'the-next-one\n');
  await withServer(async ({ superuserAddress }) => {
    expect(new URL(superuserAddress).password).toBe('the-next-one');
    await run(superuserAddress, ['SELECT 1']);
  });
  expect(readFileSync(path.join(place, 'password'), 'utf8')).toBe('the-next-one\n');
  expect(readdirSync(place)).not.toContain('password.next');
});
