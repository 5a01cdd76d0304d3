import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processStart } from '#lib/embedded-database/stop-postgres.ts';
import { unwrap } from '#lib/testing/test-context.ts';
import { buildPages, finishBuild } from './build-pages.ts';

let project: string;
let lines: string[];

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'hone-build-'));
  lines = [];
  for (const folder of ['app', '.next', 'lib/server', 'node_modules/next/dist/bin'])
    mkdirSync(path.join(project, folder), { recursive: true });
  writeFileSync(
    path.join(project, 'lib/server/finish-build.mjs'),
    "import { appendFileSync, writeFileSync } from 'node:fs'; appendFileSync('finished', '.'); writeFileSync(process.argv[2] + \"/hone-finished\", '');",
  );
  writeFileSync(
    path.join(project, 'node_modules/next/dist/bin/next'),
    `const { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
    appendFileSync('builds', '.');
    const number = readFileSync('builds', 'utf8').length;
    rmSync('.next/server', { recursive: true, force: true });
    mkdirSync('.next/server');
    writeFileSync('.next/server/page.js', String(number));
    writeFileSync('.next/BUILD_ID', 'b' + number);`,
  );
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

const build = (signal = new AbortController().signal) => {
  return buildPages({ project, log: (line) => lines.push(line), signal });
};
const builds = () =>
  existsSync(path.join(project, 'builds')) ? readFileSync(path.join(project, 'builds'), 'utf8').length : 0;
const stamp = () => path.join(project, '.next/hone-sources');

/** Simulates another process, the parent, that holds the build lock. */
function lockByOther(): { release(): void } {
  const folder = path.join(project, '.next/cache');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'hone-build.lock');
  const holder = { processId: process.ppid, processStart: processStart(process.ppid), host: hostname() };
  writeFileSync(file, JSON.stringify({ ...holder, since: new Date().toISOString(), address: project }));
  return { release: () => rmSync(file) };
}

test('builds once for the same sources', async () => {
  const folder = path.join(project, '.next-b1');
  expect(await build()).toEqual({ ok: true, value: { isNew: true, folder } });
  expect(await build()).toEqual({ ok: true, value: { isNew: false, folder } });
  expect(builds()).toBe(1);
});

test('finishes a build once, and the next build again', async () => {
  const { signal } = new AbortController();
  const { folder } = unwrap(await build());
  expect(await finishBuild(project, folder, signal)).toBe(true);
  expect(await finishBuild(project, folder, signal)).toBe(false);
  const next = unwrap(await buildPages({ project, log: () => undefined, signal, always: true }));
  expect(await finishBuild(project, next.folder, signal)).toBe(true);
  expect(readFileSync(path.join(project, 'finished'), 'utf8')).toBe('..');
});

test('does not mark a build as finished if finishing fails or is aborted', async () => {
  const { folder } = unwrap(await build());
  writeFileSync(path.join(project, 'lib/server/finish-build.mjs'), 'process.exit(1);');
  expect(await finishBuild(project, folder, new AbortController().signal)).toBe(false);
  writeFileSync(path.join(project, 'lib/server/finish-build.mjs'), 'setInterval(() => {}, 1000);');
  expect(await finishBuild(project, folder, AbortSignal.timeout(200))).toBe(false);
  expect(existsSync(path.join(folder, 'hone-finished'))).toBe(false);
});

test('waits while another process builds in the same folder, then builds its own sources', async () => {
  const other = lockByOther();
  const waiting = build();
  await expect.poll(() => lines).toEqual([expect.stringContaining('another process')]);
  expect(builds()).toBe(0);
  other.release();
  expect(await waiting).toMatchObject({ ok: true, value: { isNew: true } });
  expect(builds()).toBe(1);
});

test('uses the build of another process from the same sources', async () => {
  await build();
  const sources = readFileSync(stamp(), 'utf8');
  rmSync(stamp());
  const other = lockByOther();
  const waiting = build();
  await expect.poll(() => lines.at(-1)).toContain('another process');
  writeFileSync(stamp(), sources);
  other.release();
  expect(await waiting).toMatchObject({ ok: true, value: { isNew: false } });
  expect(builds()).toBe(1);
});

test('stops waiting for the lock when aborted', async () => {
  lockByOther();
  const over = new AbortController();
  const waiting = build(over.signal);
  await expect.poll(() => lines).toEqual([expect.stringContaining('another process')]);
  over.abort();
  expect(await waiting).toMatchObject({ ok: false });
  expect(existsSync(stamp())).toBe(false);
});

test('takes over the lock of a killed process', async () => {
  const ended = spawnSync(process.execPath, ['--version']);
  const folder = path.join(project, '.next/cache');
  mkdirSync(folder, { recursive: true });
  const holder = { processId: ended.pid, processStart: null, host: hostname(), since: '', address: project };
  writeFileSync(path.join(folder, 'hone-build.lock'), JSON.stringify(holder));
  expect(await build()).toMatchObject({ ok: true, value: { isNew: true } });
});

test('a later build leaves the served copy of a running process as it is, and deletes the copies of ended ones', async () => {
  const { folder } = unwrap(await build());
  const ended = path.join(project, '.next-ended');
  mkdirSync(path.join(ended, 'hone-users'), { recursive: true });
  const { pid } = spawnSync(process.execPath, ['--version']);
  const user = { processId: pid, processStart: '1', host: hostname() };
  writeFileSync(path.join(ended, 'hone-users/ended'), JSON.stringify(user));
  writeFileSync(path.join(project, 'app/page.tsx'), 'changed');
  const next = unwrap(await build());
  expect(next).toEqual({ isNew: true, folder: path.join(project, '.next-b2') });
  expect(readFileSync(path.join(folder, 'server/page.js'), 'utf8')).toBe('1');
  expect(readFileSync(path.join(next.folder, 'server/page.js'), 'utf8')).toBe('2');
  expect(existsSync(ended)).toBe(false);
});

test('serves the build itself if the folder cannot be written', async () => {
  const { folder } = unwrap(await build());
  rmSync(folder, { recursive: true });
  chmodSync(project, 0o555);
  try {
    const isRoot = process.getuid?.() === 0;
    expect(unwrap(await build())).toEqual({ isNew: false, folder: isRoot ? folder : path.join(project, '.next') });
  } finally {
    chmodSync(project, 0o755);
  }
});
