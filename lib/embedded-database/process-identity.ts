import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
export function commandLine(processId: number): string | null {
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
