import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

test('leaves no scratch file behind when the process is killed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'scratch-test-'));
  try {
    const file = JSON.stringify(path.join(import.meta.dirname, 'open-scratch-file.ts'));
    const script = `
      const { openScratchFile } = await import(${file});
      const file = await openScratchFile();
      await file.write('x'.repeat(100_000));
      const { size } = await file.stat();
      process.stdout.write(String(size), () => process.kill(process.pid, 'SIGKILL'));`;
    const ended = await new Promise<{ signal: unknown; written: string }>((resolve) => {
      const options = { env: { ...process.env, TMPDIR: folder } };
      execFile(process.execPath, ['--input-type=module', '-e', script], options, (error, written) =>
        resolve({ signal: error?.signal, written }),
      );
    });
    expect(ended).toEqual({ signal: 'SIGKILL', written: '100000' });
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
