import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxUser } from '#lib/system/server-user.ts';

/** The file that tests write to what they ask of the solution. */
export const QUESTIONS = 3;

/** A source file that Node runs as it is, also when this one was bundled. */
const FOLDER = path.dirname(fileURLToPath(import.meta.url));

/** Most memory of one process, in kB: its JavaScript, its Python, files and pipes that Python makes, and Node itself. */
const MOST_DATA_KB = 1_100_000;
/** A shell that sets this limit and then becomes Node; the kernel holds it, whatever the code does. */
const LIMITED = ['/bin/sh', '-c', `ulimit -d ${MOST_DATA_KB}; exec "$0" "$@"`, process.execPath];

/**
 * A process of its own with nothing of our environment. Node's permission model refuses it files (but for the interpreter's own),
 * child processes, threads and addons; it has at most 256 MB for JavaScript, 512 MB for Python, 64 MB for files of Python's own,
 * and 1.1 GB in all where the system is Linux. Where Hone runs as root it is a user's that owns nothing.
 */
export function startInterpreter(mode: 'make' | 'run'): ChildProcess {
  const project = path.resolve(FOLDER, '../../..');
  const pyodide = path.join(project, 'node_modules', 'pyodide');
  const readable = [pyodide, FOLDER, path.join(project, 'package.json')];
  const [command, ...before] = process.platform === 'linux' ? LIMITED : [process.execPath];
  const child = spawn(
    command ?? process.execPath,
    [
      ...before,
      '--permission',
      ...readable.map((place) => `--allow-fs-read=${place}`),
      '--max-old-space-size=256',
      // An interpreter lives for one evaluation: its functions are optimised only where that evaluation is long.
      '--wasm-tiering-budget=600000000',
      // The interpreter's own functions are known to be valid: each is looked at only when it is first called.
      '--wasm-lazy-validation',
      '--no-warnings',
      path.join(FOLDER, 'python-process.mjs'),
      mode,
      pyodide,
    ],
    {
      ...sandboxUser([pyodide, FOLDER, path.dirname(process.execPath)]),
      cwd: FOLDER,
      env: { NODE_ENV: 'production' },
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    },
  );
  // Writing to one that has ended is no fault of ours.
  child.stdin?.on('error', () => undefined);
  return child;
}

/** Sends one part: its length in four bytes, then its bytes. */
export function sendPart(child: ChildProcess, bytes: Uint8Array): void {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  child.stdin?.write(length);
  child.stdin?.write(bytes);
}
