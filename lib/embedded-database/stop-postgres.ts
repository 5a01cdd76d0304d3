import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, isAlive } from './process-identity.ts';

/**
 * Stops the server that a killed parent left on this cluster; answers its process id, or null when there was none.
 * A pid file whose process is something else by now (a container started again) is taken away.
 */
export async function stopLeftServer(cluster: string): Promise<number | null> {
  const file = path.join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const processId = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(processId) || processId <= 1) return null;
  // The server itself sees to the file of a dead one, and refuses while that one's last processes still live.
  if (!isAlive(processId)) return null;
  const command = commandLine(processId);
  if (command?.includes('postgres') && command.includes(cluster)) {
    await stopServer(processId, { politeMs: 10_000, firmMs: 5000 });
    return processId;
  }
  rmSync(file, { force: true });
  return null;
}

/**
 * Fast shutdown (connections are cut, data written), then the immediate one (the next start recovers), then the end by force.
 * Answers when the process is gone.
 */
export async function stopServer(processId: number, limits: { politeMs: number; firmMs: number }): Promise<void> {
  const stages: [NodeJS.Signals, number][] = [
    ['SIGINT', limits.politeMs],
    ['SIGQUIT', limits.firmMs],
    ['SIGKILL', 2000],
  ];
  for (const [signal, waitMs] of stages) {
    try {
      process.kill(processId, signal);
    } catch {
      return;
    }
    const until = Date.now() + waitMs;
    while (Date.now() < until) {
      if (!isAlive(processId)) return;
      await sleep(15);
    }
  }
}
