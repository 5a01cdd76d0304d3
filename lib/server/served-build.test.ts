import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { markServed } from './served-build.ts';

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
