// Plain JavaScript that old Node versions can parse, because this file runs before the Node version is checked.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Variable that indicates to the replacement program that the environment is on its standard input. */
const HANDED_OVER = 'HONE_VARIABLES_ON_STDIN';

/** Variables that the system, Node and npm read at startup, or that people look for in a process list. None of them is secret. */
const SHOWN = new RegExp(
  `^(${[
    ...[
      'PATH',
      'HOME',
      'USER',
      'LOGNAME',
      'SHELL',
      'PWD',
      'LANG',
      'LANGUAGE',
      'TZ',
      'TERM',
      'COLORTERM',
      'NO_COLOR',
      'CI',
    ],
    ...['FORCE_COLOR', 'TMPDIR', 'INIT_CWD', 'npm_execpath', 'npm_node_execpath', 'npm_lifecycle_event', 'LC_\\w+'],
    ...['LD_\\w+', 'DYLD_\\w+', 'NODE_\\w+', 'UV_\\w+', 'SSL_CERT_\\w+', 'MALLOC_\\w+', 'PORT'],
    ...['HONE_HOST', 'HONE_DATA_DIR', 'HONE_MODE', 'HONE_LOG', 'HONE_WORKER_SLOTS', 'HONE_DRAIN_SECONDS'],
  ].join('|')})$`,
);

/**
 * Restarts this process with the same ID, without secrets in the environment that other programs of the same user can read
 * (`/proc/<id>/environ`). Deleting variables would not change that file. The new process reads the secrets from an unnamed file and
 * restores `process.env`. Does nothing on a system that cannot replace a process.
 */
export function restartProcess() {
  if (process.env[HANDED_OVER] === '1') return takeOver();
  if (typeof process.execve !== 'function') return;
  const entries = Object.entries(process.env);
  const hidden = entries.filter(([name]) => !SHOWN.test(name));
  if (hidden.length === 0) return;
  if (!putOnStandardInput(JSON.stringify(Object.fromEntries(hidden)))) return;
  const shown = Object.fromEntries(entries.filter(([name]) => SHOWN.test(name)));
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...shown, [HANDED_OVER]: '1' });
}

function takeOver() {
  const text = readFileSync(0, 'utf8');
  closeSync(0);
  openSync('/dev/null', 'r');
  delete process.env[HANDED_OVER];
  Object.assign(process.env, JSON.parse(text));
}

/** Only the standard streams stay open in the replacement program. The file is unlinked before anything is written to it. */
function putOnStandardInput(text) {
  let folder;
  try {
    folder = mkdtempSync(path.join(tmpdir(), 'hone-start-'));
  } catch {
    return false;
  }
  closeSync(0);
  let file;
  try {
    file = openSync(path.join(folder, 'variables'), 'wx+', 0o600);
  } catch {
    openSync('/dev/null', 'r');
  }
  rmSync(folder, { recursive: true, force: true });
  if (file !== 0) return false;
  if (writeAll(file, text)) return true;
  closeSync(0);
  openSync('/dev/null', 'r');
  return false;
}

/** Writes at explicit positions, so that the reader starts at the first byte. Returns false if the disk is full. */
function writeAll(file, text) {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    return true;
  } catch {
    return false;
  }
}
