import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyBuild, markServed } from './served-build.ts';

test('two processes that start at once both stay marked', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hone-served-'));
  mkdirSync(path.join(folder, 'hone-users'));
  writeFileSync(path.join(folder, 'BUILD_ID'), 'b1');
  const file = JSON.stringify(path.join(import.meta.dirname, 'served-build.ts'));
  const script = `const { markServed } = await import(${file}); process.send('ready'); for (;;) markServed(process.argv[1]);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await new Promise((resolve) => other.once('message', resolve));
    const own = path.join(folder, 'hone-users', `${hostname()}-${process.pid}`);
    let lost = 0;
    for (const until = performance.now() + 500; performance.now() < until; ) {
      markServed(folder);
      if (!existsSync(own)) lost++;
    }
    expect(lost).toBe(0);
  } finally {
    other.kill('SIGKILL');
    await new Promise((resolve) => other.once('close', resolve));
    rmSync(folder, { recursive: true });
  }
});

test.runIf(process.getuid?.() === 0)(
  'a copy made by root stays while a process of another user serves it',
  async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'hone-copies-'));
    const build = (id: string) => {
      mkdirSync(path.join(parent, '.next'), { recursive: true });
      writeFileSync(path.join(parent, '.next/BUILD_ID'), id);
      return copyBuild(parent);
    };
    chmodSync(parent, 0o755);
    const folder = build('b1');
    const file = JSON.stringify(path.join(import.meta.dirname, 'served-build.ts'));
    const script = `const { markServed } = await import(${file}); process.setuid(65534); process.send(markServed(process.argv[1])); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = new Promise((resolve) => other.once('close', resolve));
    try {
      expect(await new Promise((resolve) => other.once('message', resolve))).toBe(true);
      expect(markServed(build('b2'))).toBe(true);
      expect(existsSync(folder)).toBe(true);
      other.kill('SIGKILL');
      await ended;
      build('b3');
      expect(existsSync(folder)).toBe(false);
    } finally {
      other.kill('SIGKILL');
      await ended;
      rmSync(parent, { recursive: true });
    }
  },
);
