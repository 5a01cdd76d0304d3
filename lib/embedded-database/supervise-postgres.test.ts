import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withClient } from '#lib/database/connections.ts';
import { supervisePostgres } from './supervise-postgres.ts';

/** Mounts a small disk. Returns false without permission to mount. */
function mountDisk(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=711', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('a server that a full disk has stopped starts again when space is freed', async ({ skip }) => {
  const disk = mkdtempSync(path.join(tmpdir(), 'hone-disk-'));
  if (!mountDisk(disk)) return skip('mounting a disk needs root');
  const lines: string[] = [];
  const exits: string[] = [];
  const dataFolder = path.join(disk, 'data');
  mkdirSync(dataFolder);
  chmodSync(dataFolder, 0o711);
  const options = { dataFolder, log: (line: string) => void lines.push(line), signal: new AbortController().signal };
  const started = await supervisePostgres({ ...options, durable: false }, (reason) => exits.push(reason));
  try {
    if (!started.ok) throw new Error(started.problem.message);
    const { connectionString } = started.value;
    const answer = () =>
      withClient(connectionString, (client) => client.query('SELECT 1')).then(
        () => true,
        () => false,
      );
    const pidFile = path.join(dataFolder, 'postgres/cluster/postmaster.pid');
    const processId = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    const { bavail, bsize } = statfsSync(disk);
    const filler = path.join(disk, 'filler');
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
    process.kill(processId, 'SIGKILL');
    await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('is full (0 MB are free)');
    // Longer than restarts without a full disk are tried.
    await sleep(17_000);
    expect(exits).toEqual([]);
    rmSync(filler);
    await expect.poll(answer, { timeout: 20_000 }).toBe(true);
    await expect.poll(() => lines.at(-1)).toBe('PostgreSQL is running again');
  } finally {
    if (started.ok) await started.value.stop();
    execFileSync('umount', [disk]);
    rmSync(disk, { recursive: true });
  }
}, 90_000);
