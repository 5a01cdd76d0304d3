import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processStart } from '#lib/embedded-database/stop-postgres.ts';
import { lockDataFolder } from './file-lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hone-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => path.join(folder, 'hone.lock');

/** Writes a lock file like another process. */
function writeLock(fields: Record<string, unknown>): void {
  const holder = {
    processId: 1,
    processStart: null,
    host: hostname(),
    since: '2026-01-02T03:04:05Z',
    address: 'http://127.0.0.1:3999',
  };
  writeFileSync(file(), JSON.stringify({ ...holder, ...fields }));
}

async function deadProcessId(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('lockDataFolder', () => {
  test('locks a free folder, writes the holder, and removes the lock on release', async () => {
    const lock = await lockDataFolder(folder, 'http://127.0.0.1:3000');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({
      processId: process.pid,
      address: 'http://127.0.0.1:3000',
    });
    if (lock.ok) lock.value.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('rejects a folder held by a living process, naming process, time and address', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    writeLock({ processId: child.pid, processStart: processStart(child.pid ?? 0) });
    const refused = await lockDataFolder(folder, 'http://127.0.0.1:3000');
    child.kill('SIGKILL');
    expect(refused.ok).toBe(false);
    const message = refused.ok ? '' : refused.problem.message;
    for (const word of [`process ${child.pid}`, '2026-01-02T03:04:05Z', 'http://127.0.0.1:3999'])
      expect(message).toContain(word);
  });

  test.each<[string, () => Promise<void>]>([
    ['a process that has ended', async () => writeLock({ processId: await deadProcessId() })],
    [
      'a process id now used by another program',
      async () => writeLock({ processId: process.ppid, processStart: 'long ago' }),
    ],
    [
      'its own process id from before a container restart',
      async () => writeLock({ processId: process.pid, processStart: 'long ago' }),
    ],
    ['a truncated lock file', async () => writeFileSync(file(), '{"processId":')],
    ['an empty lock file', async () => writeFileSync(file(), '')],
  ])('takes over from %s', async (_name, prepare) => {
    await prepare();
    const lock = await lockDataFolder(folder, 'http://127.0.0.1:3000');
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.value.release();
    expect(existsSync(file())).toBe(false);
  });

  test('takes over a lock that was copied together with its folder, but not one behind another path', async () => {
    const original = mkdtempSync(path.join(tmpdir(), 'hone-original-'));
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    try {
      const held = { processId: child.pid, processStart: processStart(child.pid ?? 0) };
      writeLock({ ...held, file: path.join(original, 'hone.lock') });
      linkSync(file(), path.join(original, 'hone.lock'));
      expect(await lockDataFolder(folder, 'http://127.0.0.1:3000')).toMatchObject({ ok: false });
      rmSync(path.join(original, 'hone.lock'));
      copyFileSync(file(), path.join(original, 'hone.lock'));
      const lock = await lockDataFolder(folder, 'http://127.0.0.1:3000');
      expect(lock.ok).toBe(true);
      if (lock.ok) lock.value.release();
    } finally {
      child.kill('SIGKILL');
      rmSync(original, { recursive: true });
    }
  });

  test('respects a holder on another machine only while its heartbeat continues', async () => {
    writeLock({ host: 'another-machine' });
    const heartbeat = setInterval(() => utimesSync(file(), new Date(), new Date()), 500);
    const refused = await lockDataFolder(folder, 'http://127.0.0.1:3000');
    clearInterval(heartbeat);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining('on another-machine') } });
    const lock = await lockDataFolder(folder, 'http://127.0.0.1:3000');
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.value.release();
  });

  test('grants the lock to exactly one of many concurrent processes', async () => {
    writeLock({ processId: await deadProcessId() });
    const module = JSON.stringify(path.resolve('lib/server/file-lock.ts'));
    const script = `const { lockDataFolder } = await import(${module});
      const lock = await lockDataFolder(${JSON.stringify(folder)}, 'x'); console.log(lock.ok); setTimeout(() => process.exit(), 4000);`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
        const [text] = await once(child.stdout.setEncoding('utf8'), 'data');
        return String(text).trim();
      }),
    );
    expect(answers.sort()).toEqual(['false', 'false', 'false', 'false', 'false', 'true']);
  });
});
