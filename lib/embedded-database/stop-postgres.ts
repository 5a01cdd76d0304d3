import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { APP_ROLE, findAppPassword, findSuperuserPassword, SUPERUSER_ROLE, socketAddress } from './create-cluster.ts';

/** Whether a process with this id lives, whoever owns it. A zombie counts as dead. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return process.platform !== 'linux' || linuxState(processId)?.state !== 'Z';
}

/**
 * When a process began, as text to compare: an id alone is reused after a reboot or in a container.
 * Null when it is gone or the system does not say.
 */
export function processStart(processId: number): string | null {
  if (process.platform === 'linux') return linuxState(processId)?.start ?? null;
  return askPs(processId, 'lstart=');
}

/** The command line of a process; null when it is gone or the system does not say. */
function commandLine(processId: number): string | null {
  if (process.platform !== 'linux') return askPs(processId, 'args=');
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return null;
  }
}

/** From /proc/<id>/stat; what stands before the last bracket is the program's name and may hold anything. */
function linuxState(processId: number): { state: string; start: string } | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    return state === undefined || start === undefined ? null : { state, start };
  } catch {
    return null;
  }
}

function askPs(processId: number, column: string): string | null {
  const answer = spawnSync('ps', ['-ww', '-o', column, '-p', String(processId)], { encoding: 'utf8' });
  const text = answer.stdout?.trim() ?? '';
  return text === '' ? null : text;
}

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

/** Where the server answers that another process runs on the cluster in `place`; null where none runs. */
export function findRunningPostgres(place: string): string | null {
  const file = path.join(place, 'cluster/postmaster.pid');
  if (!existsSync(file)) return null;
  // Its process, its data folder, its start, its port, the folder of its socket.
  const [processId = '', , , , socketFolder = ''] = readFileSync(file, 'utf8').split('\n');
  if (socketFolder === '' || !isAlive(Number(processId))) return null;
  const app = findAppPassword(place);
  const [role, password] = app === null ? [SUPERUSER_ROLE, findSuperuserPassword(place)] : [APP_ROLE, app];
  return password === null ? null : socketAddress(socketFolder, { role, password, database: 'hone' });
}
