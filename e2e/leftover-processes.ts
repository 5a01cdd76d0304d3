import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the command lines of processes with this folder in their command line or, on Linux, in their environment. */
export function processesOf(folder: string): string[] {
  if (process.platform !== 'linux') {
    const lines = spawnSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).stdout.split('\n');
    return lines.filter((line) => line.includes(folder));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((id) => read(id, 'cmdline').includes(folder) || read(id, 'environ').includes(folder))
    .map((id) => read(id, 'cmdline').replaceAll('\0', ' ').trim())
    .filter((command) => command !== '');
}

function read(id: string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
