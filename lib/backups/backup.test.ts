import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import pg from 'pg';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { applyMigrations } from '#lib/database/apply-migrations.ts';
import { withClient } from '#lib/database/connections.ts';
import { dropDatabase } from '#lib/database/drop-database.test-support.ts';
import { acquireProcessLock, markDatabaseInUse } from '#lib/database/locks.ts';
import { findSchemaDrift } from '#lib/database/schema-drift.test-support.ts';
import { withDatabase } from '#lib/testing/start-test-postgres.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { backupKey, backupManifestSchema, SIGNATURE_FILE, signManifest } from './backup-manifest.ts';
import { inspectBackup } from './inspect-backup.ts';
import { listStoredTables } from './queries.ts';
import { restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const { database, connectionString } = useTestDatabase();
const migrationsFolder = path.resolve('prisma/migrations');
const now = new Date('2026-03-04T05:06:07.000Z');
const folder = mkdtempSync(path.join(tmpdir(), 'hone-backup-'));
const target = withDatabase(connectionString, `restored_${randomUUID().replaceAll('-', '')}`);
const key = backupKey(Buffer.alloc(32, 7));
const whole = path.join(folder, 'whole.backup');
/** Includes the largest file that Hone stores. Restored only once because that is slow. */
const large = path.join(folder, 'large.backup');

/** Placeholder for every token that grants access, as in sessions and links. */
const LIVE = 'live-credential';

/** Texts that COPY escapes. */
const AWKWARD = [
  '',
  '\\N',
  '\\.',
  'tab\there',
  'line\nline\r\n',
  'back\\slash',
  '{"json": "\\u0041"}',
  'ünïcödé 🙂',
  '\u0001',
];

beforeAll(async () => {
  const { pool } = database();
  await pool.query(
    'INSERT INTO experiments (id, name, latest_version) SELECT gen_random_uuid(), n, 1 FROM unnest($1::text[]) n',
    [AWKWARD],
  );
  await pool.query(
    `INSERT INTO experiments (id, name, latest_version, parent_id) SELECT gen_random_uuid(), 'child of ' || name, 1, id FROM experiments`,
  );
  await pool.query(
    `INSERT INTO experiment_versions (experiment_id, version, settings) SELECT id, 1, '{"a": [1.5, null]}' FROM experiments`,
  );
  await storeFile('a', 10_000);
  await pool.query(
    `INSERT INTO lessons (id, kind, status, text, block, tools, source_input, created_by, created_at)
     SELECT gen_random_uuid(), 'lesson', 'promoted', 'Check the units ' || n, 'b', ARRAY['a,b', NULL, '"'], 'input', 'me', now() FROM generate_series(1, 3000) n`,
  );
  await pool.query(
    `INSERT INTO lesson_embeddings (lesson_id, provider, model, vector) SELECT id, 'p', 'm', ARRAY[0.1, -1e-30, 3.4e38]::real[] FROM lessons LIMIT 5`,
  );
  await pool.query(
    `INSERT INTO audit_entries (at, actor_id, actor, role, via, act, subject_kind, outcome) VALUES (now(), 'a', 'A', 'owner', 'person', 'created', 'run', 'done')`,
  );
  await pool.query(`INSERT INTO sign_in_limits (key, failures, since) VALUES ('${'0'.repeat(64)}', 4, now())`);
  // Random texts.
  const texts = fc
    .sample(fc.string({ unit: 'grapheme', maxLength: 300 }), 200)
    .map((text) => text.replaceAll('\0', ''));
  await pool.query('INSERT INTO facts (name, at) SELECT DISTINCT n, now() FROM unnest($1::text[]) n', [texts]);
  await pool.query(
    `INSERT INTO members (id, name, email, role, created_at, updated_at) VALUES ('m', 'Ada', 'ada@team.example', 'owner', now(), now())`,
  );
  await pool.query(
    `INSERT INTO sessions (id, member_id, token, expires_at, created_at, updated_at) VALUES ('s', 'm', '${LIVE}-session', now() + interval '1 day', now(), now())`,
  );
  await pool.query(
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at) VALUES ('v', 'i', '${LIVE}-value', now() + interval '1 day', now(), now())`,
  );
  await pool.query(
    `INSERT INTO invitations (id, purpose, hash, role, label, created_by, created_by_id, created_at, expires_at)
     VALUES (gen_random_uuid(), 'member', '${LIVE}-link', 'owner', 'Grace', 'Ada', 'm', now(), now() + interval '7 days')`,
  );
  // Uses up sequence numbers that must not be assigned again after a restore.
  await pool.query(`SELECT nextval('runs_number_seq') FROM generate_series(1, 41)`);
  await backUp(whole);
  await storeFile('b', 10_000_000);
  await backUp(large);
});
afterAll(async () => {
  await withClient(inject('testPostgres').connectionString, (client) => dropDatabase(client, databaseOf(target)));
  rmSync(folder, { recursive: true, force: true });
});

describe('backup and restore', () => {
  beforeAll(emptyTarget);

  test('restores every row of every table into an empty database', async () => {
    expect(await restore(large)).toMatchObject({ ok: true, value: { madeBy: '1.2.3', madeAt: now.toISOString() } });
    const before = await contents(connectionString);
    const after = await contents(target);
    expect(Object.keys(after).length).toBeGreaterThan(40);
    expect(before.experiments).not.toBe(before.runs);
    const { sign_in_limits, facts: restoredFacts, sessions, verifications, invitations } = after;
    expect(after).toEqual({
      ...before,
      ...{ sign_in_limits, facts: restoredFacts, sessions, verifications, invitations },
    });
    // The restore itself adds one fact.
    const facts = 'SELECT count(*)::int AS facts FROM facts';
    const [there, here] = [await query(connectionString, facts), await query(target, facts)];
    expect(here[0]?.facts).toBe(Number(there[0]?.facts) + 1);
    // Sign-in attempt counters are not restored.
    expect(after.sign_in_limits).not.toBe(before.sign_in_limits);
  });

  test('restores the migrated schema: foreign keys, triggers, sequences and applied migrations', async () => {
    expect(await findSchemaDrift(target, readFileSync('prisma/schema.prisma', 'utf8'))).toEqual([]);
    expect(await applyMigrations(target, migrationsFolder)).toMatchObject({ ok: true, value: { applied: [] } });
    await expect(query(target, 'DELETE FROM audit_entries')).rejects.toThrow('can only be added to');
    await expect(query(target, 'UPDATE experiments SET parent_id = gen_random_uuid()')).rejects.toThrow('foreign key');
    expect(await query(target, `SELECT nextval('runs_number_seq')::int AS next`)).toEqual([{ next: 42 }]);
  });

  test.each([
    ['a single process on the same database', () => markDatabaseInUse(target)],
    ['one of several processes', () => acquireProcessLock(target, randomUUID())],
  ])('refuses to restore while in use by %s', async (_name, begin) => {
    const running = await begin();
    const refused = await restore(whole, { replace: true });
    await running.release();
    expect(refused).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('Stop all Hone processes') },
    });
  });

  test('replaces existing data only with --replace', async () => {
    expect(await restore(whole)).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('--replace') },
    });
    await query(target, `UPDATE experiments SET name = 'changed'`);
    expect(await restore(whole, { replace: true })).toMatchObject({ ok: true });
    expect(await query(target, `SELECT 1 FROM experiments WHERE name = 'changed'`)).toEqual([]);
  });

  test('succeeds if statistics cannot be updated afterwards', async () => {
    // An index over a function that fails makes ANALYZE fail.
    await query(
      target,
      `CREATE SCHEMA other;
       CREATE FUNCTION other.f(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN n; END';
       CREATE TABLE other.t AS SELECT 1 AS n;
       CREATE INDEX ON other.t (other.f(n));
       CREATE OR REPLACE FUNCTION other.f(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN n / 0; END'`,
    );
    await expect(query(target, 'ANALYZE')).rejects.toThrow('division by zero');
    await query(target, `UPDATE experiments SET name = 'changed'`);
    expect(await restore(whole, { replace: true })).toMatchObject({ ok: true });
    expect(await query(target, `SELECT 1 FROM experiments WHERE name = 'changed'`)).toEqual([]);
    await query(target, 'DROP SCHEMA other CASCADE');
  });

  test('says that the result is unknown if the connection is lost during the commit', async () => {
    await emptyTarget();
    const { query: send } = pg.Client.prototype;
    const lost = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given) {
      const sent = Reflect.apply(send, this, given);
      if (given[0] !== 'COMMIT') return sent;
      return Promise.resolve(sent).then(() => {
        throw new Error('Connection terminated unexpectedly');
      });
    });
    const restored = await restore(whole).finally(() => lost.mockRestore());
    expect(restored).toMatchObject({ ok: false, problem: { code: 'unavailable' } });
    const { message } = restored.ok ? { message: '' } : restored.problem;
    expect(message).toContain('Connection terminated unexpectedly');
    expect(message).toMatch(/unknown.*--replace/);
    expect(message).not.toContain('as it was before');
    expect((await restore(whole, { replace: true })).ok).toBe(true);
  });

  test('refuses a database with tables of another application, even with --replace', async () => {
    await query(target, 'CREATE TABLE invoices (id int)');
    const refused = await restore(whole, { replace: true });
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining('invoices') } });
    expect(await query(target, 'SELECT count(*)::int AS n FROM invoices')).toEqual([{ n: 0 }]);
  });

  test('contains no sessions and no sign-in links', async () => {
    const files = await unpack();
    expect(files.filter(({ bytes }) => bytes.includes(LIVE))).toEqual([]);
    for (const table of ['sessions', 'verifications', 'invitations'])
      expect(await query(connectionString, `SELECT count(*)::int AS n FROM ${table}`)).toEqual([{ n: 1 }]);
  });

  test.each<[string, (files: ArchivedFile[]) => ArchivedFile[], Buffer | null, RegExp]>([
    [
      'signed by another installation',
      (files) => files,
      backupKey(Buffer.alloc(32, 8)),
      /signed by another installation/,
    ],
    ['signed although there is no key yet', (files) => files, null, /signed by another installation/],
    ['without a signature', (files) => files.filter(({ name }) => name !== SIGNATURE_FILE), key, /is not signed/],
    [
      'made by an older version',
      (files) =>
        files
          .filter(({ name }) => name !== SIGNATURE_FILE)
          .map((file) =>
            file.name === 'manifest.json'
              ? { ...file, bytes: Buffer.from(file.bytes.toString().replace('"version": 2', '"version": 1')) }
              : file,
          ),
      key,
      /is not signed/,
    ],
  ])('a backup %s is restored only with explicit consent', async (_name, change, by, reason) => {
    await emptyTarget();
    const file = path.join(folder, 'foreign.backup');
    writeFileSync(file, await repack(change(await unpack())));
    expect(await restore(file, { by })).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(reason) },
    });
    expect(await query(target, `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
    expect(await restore(file, { by, foreign: true })).toMatchObject({ ok: true });
  });

  test('is readable only by its owner and is never overwritten', async () => {
    expect(statSync(whole).mode & 0o777).toBe(0o600);
    const again = await writeBackup({ connectionString, file: whole, version: '1', key, now });
    expect(again).toMatchObject({ ok: false, problem: { code: 'conflict' } });
  });

  test('leaves no file when it fails or is aborted', async () => {
    const file = path.join(folder, 'failed.backup');
    const nowhere = withDatabase(connectionString, 'there_is_none');
    expect(await writeBackup({ connectionString: nowhere, file, version: '1', key, now })).toMatchObject({ ok: false });
    const signal = AbortSignal.abort();
    expect(await writeBackup({ connectionString, file, version: '1', key, now, signal })).toMatchObject({ ok: false });
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });
});

describe('refuses a file and changes nothing if', () => {
  beforeAll(emptyTarget);

  const spoil = (change: (files: ArchivedFile[]) => ArchivedFile[]) => async () => repack(change(await unpack()));
  const changeManifest = (change: (manifest: Record<string, unknown>) => object) =>
    spoil((files) =>
      signed(
        files.map((file) =>
          file.name === 'manifest.json'
            ? { ...file, bytes: Buffer.from(JSON.stringify(change(JSON.parse(file.bytes.toString())))) }
            : file,
        ),
      ),
    );
  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['it is not an archive', async () => Buffer.from('hello'), /not a complete backup/],
    ['it is an empty archive', async () => repack([]), /no manifest/],
    ['its end is missing', async () => readFileSync(whole).subarray(0, -1000), /not a complete backup/],
    ['it is truncated in the middle', async () => readFileSync(whole).subarray(0, 5000), /not a complete backup/],
    ['its manifest is missing', spoil((files) => files.filter(({ name }) => name !== 'manifest.json')), /no manifest/],
    [
      'a table is missing',
      spoil((files) => files.filter(({ name }) => !name.startsWith('tables/lessons/'))),
      /lessons has 0 rows/,
    ],
    [
      'a value was changed',
      spoil((files) =>
        files.map((file) => ({
          ...file,
          bytes: Buffer.from(file.bytes.toString().replace('Check the units 17', 'Check the units 71')),
        })),
      ),
      /SHA-256/,
    ],
    [
      'a table was added',
      spoil((files) => [{ name: 'tables/evil/000000.copy', bytes: Buffer.from('1\n') }, ...files]),
      /evil/,
    ],
    [
      'an entry does not belong to a backup',
      spoil((files) => [{ name: '../../etc/passwd', bytes: Buffer.from('x') }, ...files]),
      /does not belong to a backup/,
    ],
    [
      'its rows and their checksums were changed',
      spoil((files) =>
        files.map((file) =>
          file.name === 'manifest.json'
            ? { ...file, bytes: Buffer.from(file.bytes.toString().replace('"1.2.3"', '"1.2.4"')) }
            : file,
        ),
      ),
      /changed after this installation signed it/,
    ],
    [
      'its signature is malformed',
      spoil((files) =>
        files.map((file) => (file.name === SIGNATURE_FILE ? { ...file, bytes: Buffer.from('{}') } : file)),
      ),
      /signature has the wrong format/,
    ],
    ['it was written by a later version', changeManifest((manifest) => ({ ...manifest, version: 3 })), /newer version/],
    [
      'it has unknown manifest fields',
      changeManifest((manifest) => ({ ...manifest, format: 'zip' })),
      /has the wrong format/,
    ],
    [
      'it has a newer schema',
      changeManifest((manifest) => ({
        ...manifest,
        migrations: [...list(manifest.migrations), { name: '29990101000000_later', checksum: '0' }],
      })),
      /newer version/,
    ],
    [
      'an applied migration has changed',
      changeManifest((manifest) => ({
        ...manifest,
        migrations: list(manifest.migrations).map((migration) => ({ ...migration, checksum: '0' })),
      })),
      /was changed/,
    ],
    [
      'its migrations do not create its tables',
      changeManifest((manifest) => ({ ...manifest, migrations: list(manifest.migrations).slice(0, 3) })),
      /which its migrations do not create/,
    ],
  ])('%s', async (_name, make, reason) => {
    const file = path.join(folder, 'spoiled.backup');
    writeFileSync(file, await make());
    const refused = await restore(file);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringMatching(reason) } });
    expect(await query(target, `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
  });

  test.each<[string, (file: string) => void, RegExp, RegExp]>([
    ['does not exist', () => undefined, /there is no such file/, /Check its name/],
    ['is a directory', (file) => mkdirSync(file), /it is a folder/, /Name a backup file/],
    ['is empty', (file) => writeFileSync(file, ''), /it is empty/, /Copy the file again.*or use another backup/],
    ['is a text file', (file) => writeFileSync(file, 'hello'), /another program/, /Name a file that Hone made/],
    [
      'is an archive of another program',
      (file) => writeFileSync(file, gzipSync('dump of something else'.repeat(100))),
      /another program/,
      /Name a file that Hone made/,
    ],
    [
      'is truncated',
      (file) => writeFileSync(file, readFileSync(whole).subarray(0, 9000)),
      /it ends in the middle/,
      /Copy the file again.*or use another backup/,
    ],
    [
      'is corrupted',
      (file) =>
        writeFileSync(
          file,
          readFileSync(whole).map((byte, at, bytes) => (at === bytes.length - 8 ? byte ^ 0xff : byte)),
        ),
      /it is damaged/,
      /Copy the file again.*or use another backup/,
    ],
    [
      'is unreachable',
      (file) => symlinkSync(path.basename(file), file),
      /it can’t be read \(ELOOP/,
      /Fix that, or use another backup/,
    ],
  ])(
    'a file that %s is rejected with its place and a remedy, and nothing changes',
    async (name, make, reason, remedy) => {
      const file = path.join(folder, `${name.replaceAll(' ', '-')}.backup`);
      make(file);
      const refused = await restore(file);
      expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringMatching(reason) } });
      expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringMatching(remedy) } });
      expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(file) } });
      expect(await query(target, `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
    },
  );

  test('a row references a missing row despite valid checksums', async () => {
    const files = await unpack();
    const lost = files.filter(({ name }) => !name.startsWith('tables/experiments/'));
    const file = path.join(folder, 'inconsistent.backup');
    writeFileSync(
      file,
      await repack(
        signed(
          lost.map((one) =>
            one.name === 'manifest.json' ? { ...one, bytes: withoutRows(one.bytes, 'experiments') } : one,
          ),
        ),
      ),
    );
    expect(await inspectBackup(file, key)).toMatchObject({ ok: true });
    expect(await restore(file)).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('foreign key') },
    });
    expect(await query(target, `SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([]);
  });
});

async function storeFile(sha256: string, size: number): Promise<void> {
  await database().pool.query(
    `INSERT INTO stored_files (sha256, media_type, size, name, bytes, created_at, used_at) VALUES ($1, 'image/png', $2, 'x', $3, now(), now())`,
    [sha256, size, randomBytes(size)],
  );
}

async function backUp(file: string): Promise<void> {
  const written = await writeBackup({ connectionString, file, version: '1.2.3', key, now });
  if (!written.ok) throw new Error(written.problem.message);
}

type RestoreOptions = { replace?: boolean; foreign?: boolean; by?: Buffer | null };
type ArchivedFile = { name: string; bytes: Buffer };

let unpacked: Promise<ArchivedFile[]> | null = null;

/** Returns the files in the complete backup. */
function unpack(): Promise<ArchivedFile[]> {
  unpacked ??= readWhole();
  return unpacked;
}

async function readWhole(): Promise<ArchivedFile[]> {
  const archive = extract();
  archive.end(gunzipSync(readFileSync(whole)));
  const files: ArchivedFile[] = [];
  for await (const entry of archive) files.push({ name: entry.header.name, bytes: await buffer(entry) });
  return files;
}

async function repack(files: ArchivedFile[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, bytes } of files) archive.entry({ name }, bytes);
  archive.finalize();
  // Not compressed, because compression would take most of the test time.
  return gzipSync(await buffer(archive), { level: 0 });
}

function list(value: unknown): object[] {
  return Array.isArray(value) ? value : [];
}

function withoutRows(bytes: Buffer, table: string): Buffer {
  const manifest = backupManifestSchema.parse(JSON.parse(bytes.toString()));
  const nothing = { rows: 0, bytes: 0, sha256: createHash('sha256').digest('hex') };
  const tables = manifest.tables.map((one) => (one.name === table ? { ...one, ...nothing } : one));
  return Buffer.from(JSON.stringify({ ...manifest, tables }));
}

/** Signs the manifest again with the installation's key, so that only the other faults are detected. */
function signed(files: ArchivedFile[]): ArchivedFile[] {
  const manifest = files.find(({ name }) => name === 'manifest.json')?.bytes ?? Buffer.of();
  return files.map((file) => (file.name === SIGNATURE_FILE ? { ...file, bytes: signManifest(manifest, key) } : file));
}

function restore(file: string, { replace = false, foreign = false, by = key }: RestoreOptions = {}) {
  return restoreBackup({ connectionString: target, file, migrationsFolder, replace, foreign, key: by });
}

async function emptyTarget(): Promise<void> {
  await withClient(inject('testPostgres').connectionString, (client) => dropDatabase(client, databaseOf(target)));
  await admin(`CREATE DATABASE ${databaseOf(target)}`);
}

/** Returns one checksum of all rows per table. */
async function contents(address: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    const sums: Record<string, unknown> = {};
    for (const { name } of await listStoredTables(client)) {
      const { rows } = await client.query(
        `SELECT count(*)::text || ' ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")), '') AS sum FROM "${name}" t`,
      );
      sums[name] = rows[0]?.sum;
    }
    return sums;
  } finally {
    await client.end();
  }
}

async function query(address: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

function admin(statement: string) {
  return query(inject('testPostgres').connectionString, statement);
}

function databaseOf(address: string): string {
  return new URL(address).pathname.slice(1);
}
