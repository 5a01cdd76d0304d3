import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildPages } from './build-pages.ts';

let project: string;
let said: string[];

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'hone-build-'));
  said = [];
  for (const folder of ['app', '.next', 'lib/server', 'node_modules/next/dist/bin'])
    mkdirSync(path.join(project, folder), { recursive: true });
  writeFileSync(path.join(project, 'lib/server/compile-ahead.mjs'), '');
  // It builds as Next does: it refuses while another one builds, here for its first two tries.
  writeFileSync(
    path.join(project, 'node_modules/next/dist/bin/next'),
    `const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
    appendFileSync('tries', '.');
    const busy = Number(readFileSync('busy', 'utf8'));
    if (readFileSync('tries', 'utf8').length <= busy) {
      console.log('⨯ Another next build process is already running.');
      process.exit(1);
    }
    writeFileSync('.next/BUILD_ID', 'built');`,
  );
});

afterEach(() => rmSync(project, { recursive: true, force: true }));

const build = (signal = new AbortController().signal) => {
  return buildPages({ project, say: (line) => said.push(line), signal });
};
const tries = () => readFileSync(path.join(project, 'tries'), 'utf8').length;

test('waits while another process builds in the same folder, then builds what that one did not', async () => {
  writeFileSync(path.join(project, 'busy'), '2');
  expect(await build()).toEqual({ ok: true, value: true });
  expect(tries()).toBe(3);
  expect(said.filter((line) => line.startsWith('another process'))).toHaveLength(1);
  expect(await build()).toEqual({ ok: true, value: false });
});

test('takes what the other process built from the same sources', async () => {
  writeFileSync(path.join(project, 'busy'), '0');
  await build();
  const stamp = path.join(project, '.next/hone-sources');
  const sources = readFileSync(stamp, 'utf8');
  rmSync(stamp);
  writeFileSync(path.join(project, 'busy'), '1000');
  const waiting = build();
  await expect.poll(() => said.some((line) => line.startsWith('another process'))).toBe(true);
  writeFileSync(stamp, sources);
  expect(await waiting).toEqual({ ok: true, value: false });
});

test('a start that is given up while it waits ends', async () => {
  writeFileSync(path.join(project, 'busy'), '1000');
  const over = new AbortController();
  const waiting = build(over.signal);
  await expect.poll(() => said.some((line) => line.startsWith('another process'))).toBe(true);
  over.abort();
  expect(await waiting).toMatchObject({ ok: false });
  expect(existsSync(path.join(project, '.next/hone-sources'))).toBe(false);
});
