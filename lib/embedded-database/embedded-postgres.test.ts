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
  // If the test runs as root, the server's own user needs access to the folder.
  chmodSync(folder, 0o711);
  return folder;
}

let madeFolder: string | null = null;
afterAll(() => madeFolder && rmSync(madeFolder, { recursive: true, force: true }));

/** Starts from a prepared database, because creating one takes most of the start time. */
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

/** Runs `act` when the server is about to create Hone's database, the last step of its start. */
function whenDatabaseIsMade(act: () => void): void {
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    if (given[0] === CREATE_DATABASE) act();
    return query.apply(this, given);
  });
}

const start = (signal: AbortSignal) =>
  startEmbeddedPostgres({ dataFolder, log: () => undefined, signal, durable: false });

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
  'a start aborted while creating the database leaves no server running',
  async () => {
    const givingUp = new AbortController();
    whenDatabaseIsMade(() => givingUp.abort());
    const started = await start(givingUp.signal);
    expect(serversLeft()).toEqual([]);
    expect(started).toMatchObject({ ok: false, problem: { message: expect.stringContaining('canceled') } });
  },
);

test.runIf(process.platform === 'linux')(
  'reports a database that cannot be created and leaves no server running',
  async () => {
    whenDatabaseIsMade(() => {
      throw new Error('no space left');
    });
    const started = await start(new AbortController().signal);
    expect(serversLeft()).toEqual([]);
    expect(started).toMatchObject({ ok: false, problem: { message: expect.stringContaining('no space left') } });
  },
);

const isRoot = process.getuid?.() === 0;

async function started(): Promise<EmbeddedPostgres> {
  const result = await start(new AbortController().signal);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

/** Runs `work` with a server and stops the server afterwards. */
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

test('the app role owns its database but is no superuser: it cannot run programs or read files', async () => {
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

test.runIf(isRoot)(
  'when started as root, processes of user nobody cannot read its files or reach the server',
  async () => {
    await useMadeDatabase();
    await withServer(async (server) => {
      const postgresFolder = path.join(dataFolder, 'postgres');
      const socket = new URL(server.connectionString).searchParams.get('host') ?? '';
      const script = `
      const fs = require('node:fs');
      const could = [];
      const tries = (name, work) => { try { work(); could.push(name); } catch {} };
      for (const file of ${JSON.stringify(BELOW(postgresFolder))}) {
        tries('read ' + file, () => fs.readFileSync(${JSON.stringify(postgresFolder)} + '/' + file));
        tries('list ' + file, () => fs.readdirSync(${JSON.stringify(postgresFolder)} + '/' + file));
      }
      for (const folder of ${JSON.stringify([postgresFolder, socket])}) tries('list ' + folder, () => fs.readdirSync(folder));
      tries('signal', () => process.kill(${server.processId}, 0));
      tries('memory', () => fs.openSync('/proc/${server.processId}/mem', 'r'));
      const client = require('node:net').connect(${JSON.stringify(socket)} + '/.s.PGSQL.5432');
      const end = (more) => { console.log(JSON.stringify([...could, ...more])); process.exit(); };
      client.on('connect', () => end(['connect'])).on('error', () => end([]));`;
      const answer = spawnSync(process.execPath, ['-e', script], { ...NOBODY, cwd: '/', encoding: 'utf8' });
      expect(answer).toMatchObject({ status: 0, stdout: '[]\n' });
      expect(BELOW(postgresFolder)).toEqual(expect.arrayContaining(['password', 'app-password', 'cluster/base']));
      expect(statSync(`/proc/${server.processId}`).uid).not.toBe(NOBODY.uid);
    });
  },
);

/** Creates a folder of the previous version: one superuser role for everything and, for root, all files owned by nobody. */
async function makeOldFolder(): Promise<string> {
  const postgresFolder = path.join(dataFolder, 'postgres');
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
  rmSync(path.join(postgresFolder, 'app-password'));
  if (isRoot)
    for (const name of ['', ...BELOW(postgresFolder)])
      lchownSync(path.join(postgresFolder, name), NOBODY.uid, NOBODY.gid);
  return postgresFolder;
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

test('opens a folder of the previous version with its rows and gives the app ownership', async () => {
  const oldFolder = await makeOldFolder();
  const before = readFileSync(path.join(oldFolder, 'password'), 'utf8');
  await expectChangedOver();
  const owners = new Set(
    ['cluster', ...BELOW(path.join(oldFolder, 'cluster')).map((name) => `cluster/${name}`)].map(
      (name) => statSync(path.join(oldFolder, name)).uid,
    ),
  );
  expect(owners.size).toBe(1);
  expect(owners.has(NOBODY.uid)).toBe(false);
  // Other processes of user nobody could read the old password.
  expect(readFileSync(path.join(oldFolder, 'password'), 'utf8') === before).toBe(!isRoot);
  expect(readdirSync(oldFolder)).not.toContain('password.next');
});

test.runIf(isRoot)('the next start completes a change of owners that was killed midway', async () => {
  const oldFolder = await makeOldFolder();
  // The folder is closed and only some files have their new owner.
  lchownSync(oldFolder, 0, 0);
  chmodSync(oldFolder, 0o700);
  for (const name of ['', 'base', 'base/1', 'global'])
    lchownSync(path.join(oldFolder, 'cluster', name), 60_600, 60_600);
  await expectChangedOver();
});

test.each([
  ['before the server stored it', false],
  ['after the server stored it', true],
])('finds the new superuser password if the start was killed %s', async (_when, taken) => {
  const postgresFolder = path.join(dataFolder, 'postgres');
  await useMadeDatabase();
  await withServer(async ({ superuserAddress }) => {
    if (taken) await run(superuserAddress, ["ALTER ROLE hone PASSWORD 'the-next-one'"]);
  });
  writeFileSync(path.join(postgresFolder, 'password.next'), 'the-next-one\n');
  await withServer(async ({ superuserAddress }) => {
    expect(new URL(superuserAddress).password).toBe('the-next-one');
    await run(superuserAddress, ['SELECT 1']);
  });
  expect(readFileSync(path.join(postgresFolder, 'password'), 'utf8')).toBe('the-next-one\n');
  expect(readdirSync(postgresFolder)).not.toContain('password.next');
});
