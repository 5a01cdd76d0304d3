import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { loadFactor } from './attacks/response-times.ts';
import { freePort } from './free-port.ts';
import { processesOf } from './leftover-processes.ts';
import {
  copyPreparedData,
  launchApp,
  makeTemporaryFolder,
  type StartedApp,
  startApp,
  stopLaunched,
} from './start-app.ts';

const PROJECT = path.resolve(import.meta.dirname, '..');
const LONGEST_END_MS = 5000;
/** Time until the first version of a sample run is shown. The test allows a multiple of it, see `loadFactor`. */
const LONGEST_FIRST_VERSION_MS = 10_000;

// Each test starts its own app, on its own port and in its own folder.
test.describe.configure({ mode: 'parallel' });

let folder = '';
test.beforeEach(() => {
  folder = makeTemporaryFolder();
});
test.afterEach(async () => {
  await stopLaunched();
  rmSync(folder, { recursive: true, force: true });
});

test('responds, exits within 5 s on SIGTERM, and leaves no processes', async () => {
  const app = await startApp({ parentFolder: folder });
  await expectHealthy(app);
  const printed = app.output().trimEnd().split('\n');
  expect(printed.at(-1)).toContain(app.address);
  await expectCleanEnd(app, () => app.kill('SIGTERM'));
});

test('a sample started from the home page shows a version soon, then waits for a decision', async ({ page }) => {
  const app = await startApp({ parentFolder: folder });
  await page.goto(app.address);
  const load = async () => loadFactor('page', await pageResponseMs(app.address));
  const loadBefore = await load();
  const began = performance.now();
  await page.getByRole('button', { name: 'Start a run' }).click();
  await page.waitForURL(/\/runs\//);
  const versions = page.getByTestId('version-list').locator('tbody tr');
  await expect(versions.first()).toBeVisible({ timeout: 60_000 });
  const tookMs = performance.now() - began;
  // Other work on the machine may have begun after the click.
  expect(tookMs).toBeLessThan(LONGEST_FIRST_VERSION_MS * Math.max(loadBefore, await load()));
  await expect(page.getByTestId('run-status')).toContainText('Waiting for you', { timeout: 60_000 });
  await expect(page.getByRole('figure', { name: /Score trajectory of \d versions/ })).toBeVisible();
  await expect(versions.filter({ hasText: 'best' })).toHaveCount(1);
  await app.stop();
});

test('the home page offers no samples after they were deleted', async ({ page }) => {
  const app = await startApp({ parentFolder: folder });
  const { items } = (await (await fetch(`${app.address}/api/v1/experiments`)).json()) as { items: { id: string }[] };
  for (const { id } of items)
    expect((await fetch(`${app.address}/api/v1/experiments/${id}`, { method: 'DELETE' })).ok).toBe(true);
  await page.goto(app.address);
  await expect(page.getByTestId('connect-model')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/start with a sample|the sample was deleted/i);
  await app.stop();
});

test('exits within 5 s although clients hold connections open', async () => {
  copyPreparedData(folder);
  const app = await startApp({ parentFolder: folder });
  const sockets = [1, 2, 3].map(() => connect(app.port, '127.0.0.1').on('error', () => undefined));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  await sleep(300);
  await expectCleanEnd(app, () => app.kill('SIGINT'));
});

test('keeps stored data across a restart', async () => {
  const first = await startApp({ parentFolder: folder });
  await first.stop();
  const second = await startApp({ parentFolder: folder });
  expect(second.output()).not.toMatch(/migration/);
  expect(first.output()).toMatch(/creating a PostgreSQL/);
  expect(second.output()).not.toMatch(/creating a PostgreSQL/);
  await second.stop();
});

test('a second start on the same data directory fails and names its holder', async () => {
  copyPreparedData(folder);
  const first = await startApp({ parentFolder: folder });
  const second = await launchApp({ parentFolder: folder });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`process ${first.processId}`);
  expect(second.output()).toContain(first.address);
  expect(second.output()).toMatch(/since 20\d\d-/);
  await expectHealthy(first);
  await first.stop();
});

test('a start on a port in use fails and names the port', async () => {
  copyPreparedData(folder);
  const first = await startApp({ parentFolder: folder });
  const second = await launchApp({ port: first.port });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`Port ${first.port}`);
  expect(second.output()).not.toContain('    at ');
  await first.stop();
});

test.describe('a signal during startup leaves no process', () => {
  for (const { name, after, waitMs } of [
    { name: 'immediately', after: /^/, waitMs: 0 },
    { name: 'while modules load', after: /^/, waitMs: 150 },
    { name: 'while the database is created', after: /creating a PostgreSQL/, waitMs: 0 },
    { name: 'during initdb', after: /creating a PostgreSQL/, waitMs: 250 },
    { name: 'between initdb and migrations', after: /creating a PostgreSQL/, waitMs: 700 },
    { name: 'after the migrations', after: /migration\(s\) applied/, waitMs: 20 },
  ]) {
    test(name, async () => {
      const app = await launchApp({ parentFolder: folder });
      await app.waitForOutput(after);
      await sleep(waitMs);
      await expectCleanEnd(app, () => app.kill('SIGTERM'));
      const again = await startApp({ parentFolder: folder });
      await expectHealthy(again);
      await again.stop();
    });
  }
});

test.describe('a signal during the build leaves no process', () => {
  for (const waitMs of [0, 1500, 4000]) {
    test(`${waitMs} ms after the start`, async () => {
      const project = copyProject(`build-${waitMs}`);
      try {
        const app = await launchApp({ project, parentFolder: folder });
        await app.waitForOutput(/building the pages/);
        await sleep(waitMs);
        await expectCleanEnd(app, () => app.kill('SIGTERM'), project);
      } finally {
        rmSync(project, { recursive: true, force: true });
      }
    });
  }
});

test.describe('with npm as parent, leaves no process', () => {
  for (const { name, signal, toGroup } of [
    { name: 'when the terminal sends SIGINT to the whole group', signal: 'SIGINT', toGroup: true },
    { name: 'when the terminal is closed', signal: 'SIGHUP', toGroup: true },
    { name: 'when only npm gets SIGTERM', signal: 'SIGTERM', toGroup: false },
    { name: 'when only npm gets SIGHUP', signal: 'SIGHUP', toGroup: false },
    { name: 'when only npm is killed', signal: 'SIGKILL', toGroup: false },
  ] as const) {
    test(name, async () => {
      copyPreparedData(folder);
      const port = await freePort();
      const dataFolder = path.join(folder, 'data');
      const npm = spawn('npm', ['start'], {
        cwd: PROJECT,
        detached: true,
        env: { ...process.env, NODE_ENV: 'production', PORT: String(port), HONE_DATA_DIR: dataFolder },
        stdio: 'ignore',
      });
      await expect.poll(() => statusOf(`http://127.0.0.1:${port}/ready`), { timeout: 60_000 }).toBe(200);
      process.kill(toGroup ? -(npm.pid ?? 0) : (npm.pid ?? 0), signal);
      await expect.poll(() => processesOf(dataFolder), { timeout: LONGEST_END_MS + 1000 }).toEqual([]);
    });
  }
});

test('a start takes over a database left by a killed process', async () => {
  copyPreparedData(folder);
  const first = await startApp({ parentFolder: folder });
  first.kill('SIGKILL');
  await first.ended;
  expect(processesOf(first.dataFolder)).not.toEqual([]);
  const second = await startApp({ parentFolder: folder });
  expect(second.output()).toMatch(/took over the database/);
  await expectHealthy(second);
  await expectCleanEnd(second, () => second.kill('SIGTERM'));
});

test('restarts PostgreSQL after a crash and continues', async () => {
  copyPreparedData(folder);
  const app = await startApp({ parentFolder: folder });
  process.kill(serverProcess(app), 'SIGKILL');
  await app.waitForOutput(/PostgreSQL is running again/);
  await expect.poll(() => healthStatus(app.address), { timeout: 20_000 }).toBe(200);
  await expectCleanEnd(app, () => app.kill('SIGTERM'));
});

test('exits with the reason after repeated PostgreSQL crashes', async () => {
  copyPreparedData(folder);
  const app = await startApp({ parentFolder: folder });
  for (let crash = 1; crash <= 4; crash += 1) {
    process.kill(serverProcess(app), 'SIGKILL');
    await expect
      .poll(() => app.output().match(crash < 4 ? /is running again/g : /times within a minute/g)?.length ?? 0, {
        timeout: 20_000,
      })
      .toBe(crash < 4 ? crash : 1);
  }
  expect(await app.ended).toBe(1);
  expect(processesOf(app.dataFolder)).toEqual([]);
});

test.describe('invalid settings fail with a clear message', () => {
  for (const { name, env, words } of [
    { name: 'port', env: { PORT: '99999' }, words: ['PORT', '"99999"', '1 to 65535'] },
    { name: 'host', env: { HONE_HOST: '0.0.0.0' }, words: ['HONE_HOST', '"0.0.0.0"', 'loopback'] },
    { name: 'mode', env: { HONE_MODE: 'club' }, words: ['HONE_MODE', '"club"', '"local" or "team"'] },
    {
      name: 'database',
      env: { DATABASE_URL: 'postgresql://me:hidden@127.0.0.1:1/x' },
      words: ['DATABASE_URL', 'does not respond'],
    },
    { name: 'data directory below /proc', env: { HONE_DATA_DIR: '/proc/none/data' }, words: ['HONE_DATA_DIR'] },
    { name: 'data directory', env: { HONE_DATA_DIR: '/dev/null/data' }, words: ['/dev/null/data', 'HONE_DATA_DIR'] },
  ]) {
    test(name, async () => {
      const app = await launchApp({ parentFolder: folder, env });
      expect(await app.ended).toBe(1);
      for (const word of words) expect(app.output()).toContain(word);
      expect(app.output()).not.toContain('hidden');
      expect(app.output()).not.toContain('    at ');
    });
  }
});

async function expectHealthy(app: StartedApp): Promise<void> {
  expect(await healthStatus(app.address)).toBe(200);
}

function healthStatus(address: string): Promise<number> {
  return statusOf(`${address}/api/v1/health`);
}

/** Returns 0 if the server does not respond. */
function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    (response) => response.status,
    () => 0,
  );
}

async function pageResponseMs(address: string): Promise<number> {
  const began = performance.now();
  expect(await statusOf(`${address}/experiments`)).toBe(200);
  return performance.now() - began;
}

async function expectCleanEnd(app: StartedApp, ask: () => void, project = folder): Promise<void> {
  const began = Date.now();
  ask();
  const how = await app.ended;
  expect(Date.now() - began).toBeLessThan(LONGEST_END_MS);
  // Before the first line of the starter runs, Node handles the signal with its default.
  expect([0, 'SIGTERM', 'SIGINT']).toContain(how);
  expect([...processesOf(app.dataFolder), ...processesOf(project)]).toEqual([]);
}

function serverProcess(app: StartedApp): number {
  return Number(readFileSync(path.join(app.dataFolder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Inside the project folder, so that it shares its packages. The copy has never been built. */
function copyProject(name: string): string {
  const copy = path.join(PROJECT, 'test-results', name);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const part of [
    'app',
    'components',
    'lib',
    'prisma',
    'package.json',
    'next.config.mjs',
    'postcss.config.mjs',
    'prisma.config.ts',
    'proxy.ts',
    'tsconfig.json',
    'tsconfig.build.json',
  ]) {
    cpSync(path.join(PROJECT, part), path.join(copy, part), { recursive: true });
  }
  symlinkSync(path.join(PROJECT, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}
