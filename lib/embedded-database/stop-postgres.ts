import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { APP_ROLE, findAppPassword, findSuperuserPassword, SUPERUSER_ROLE, socketAddress } from './create-cluster.ts';

/** Returns true if a process with this id is running, whoever owns it. A zombie counts as dead. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return process.platform !== 'linux' || linuxState(processId)?.state !== 'Z';
}

/**
 * Returns the start time of a process as text for comparison, because ids are reused after a reboot or in a container. Null if the process
 * is gone or the system does not report it.
 */
export function processStart(processId: number): string | null {
  if (process.platform === 'linux') return linuxState(processId)?.start ?? null;
  return runPs(processId, 'lstart=');
}

/** Returns the command line of a process. Null if the process is gone or the system does not report it. */
function commandLine(processId: number): string | null {
  if (process.platform !== 'linux') return runPs(processId, 'args=');
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return null;
  }
}

/** Parses /proc/<id>/stat. The part before the last bracket is the program's name, which may contain any character. */
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

function runPs(processId: number, column: string): string | null {
  const answer = spawnSync('ps', ['-ww', '-o', column, '-p', String(processId)], { encoding: 'utf8' });
  const text = answer.stdout?.trim() ?? '';
  return text === '' ? null : text;
}

/**
 * Stops a server that a killed parent process left on this cluster. Returns its process id, or null if there was none. Removes the pid file
 * if its id now belongs to another process, for example after a container restart.
 */
export async function stopOrphanedServer(cluster: string): Promise<number | null> {
  const file = path.join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const processId = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(processId) || processId <= 1) return null;
  // PostgreSQL removes a stale pid file itself. It refuses to start while processes of the dead server remain.
  if (!isAlive(processId)) return null;
  const command = commandLine(processId);
  // The server of a copied folder has the path of the original.
  if (command?.includes('postgres') && `${command} `.includes(` -D ${cluster} `)) {
    await stopServer(processId, { politeMs: 10_000, firmMs: 5000 });
    return processId;
  }
  rmSync(file, { force: true });
  return null;
}

/**
 * Tries a fast shutdown (cuts connections, writes data), then an immediate one (the next start recovers), then SIGKILL. Resolves when the
 * process is gone.
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

/** Returns the connection string of the server that another process runs on the cluster in `folder`, or null if none is running. */
export function findRunningPostgres(folder: string): string | null {
  const file = path.join(folder, 'cluster/postmaster.pid');
  if (!existsSync(file)) return null;
  // Lines of the file: process id, data folder, start time, port, socket folder.
  const [processId = '', , , , socketFolder = ''] = readFileSync(file, 'utf8').split('\n');
  if (socketFolder === '' || !isAlive(Number(processId))) return null;
  const app = findAppPassword(folder);
  const [role, password] = app === null ? [SUPERUSER_ROLE, findSuperuserPassword(folder)] : [APP_ROLE, app];
  return password === null ? null : socketAddress(socketFolder, { role, password, database: 'hone' });
}
