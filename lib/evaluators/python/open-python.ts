import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { inTurn, openTurns } from '#lib/system/concurrency.ts';
import { sandboxUser } from '#lib/system/server-user.ts';
import { type PythonReport, type PythonRequest, type PythonRunner, PythonTranscript } from './python-report.ts';

/** File descriptor on which tests send requests to the solution. */
const REQUESTS_FD = 3;

/** Folder of source files that Node runs directly, even if this module was bundled. */
const FOLDER = path.dirname(fileURLToPath(import.meta.url));

/** Memory limit of one process in kB. Covers its JavaScript, Python, files and pipes created by Python, and Node itself. */
const MAX_DATA_KB = 1_100_000;
/** Shell that sets the memory limit and then executes Node. The kernel enforces it. */
const LIMITED = ['/bin/sh', '-c', `ulimit -d ${MAX_DATA_KB}; exec "$0" "$@"`, process.execPath];

/**
 * Starts a process with an empty environment. Node's permission model denies files (except the interpreter's own), child processes, threads
 * and addons. If Hone runs as root, the process runs as an unprivileged user.
 * Limits: 256 MB for JavaScript, 512 MB for Python, 64 MB for files created by Python, and on Linux 1.1 GB in total.
 */
export function startInterpreter(mode: 'make' | 'run'): ChildProcess {
  const project = path.resolve(FOLDER, '../../..');
  const pyodide = path.join(project, 'node_modules', 'pyodide');
  const readable = [pyodide, FOLDER, path.join(project, 'package.json')];
  const [command, ...before] = process.platform === 'linux' ? LIMITED : [process.execPath];
  const child = spawn(
    /* turbopackIgnore: true */ command ?? process.execPath,
    [
      ...before,
      '--permission',
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
      '--max-old-space-size=256',
      // A short evaluation allocates less than this, so it needs no garbage collection.
      '--min-semi-space-size=32',
      // An interpreter is used for one evaluation only, so its functions are optimized only if that takes long.
      '--wasm-tiering-budget=600000000',
      // The interpreter's functions are known to be valid, so each is validated only at its first call.
      '--wasm-lazy-validation',
      '--no-warnings',
      path.join(/* turbopackIgnore: true */ FOLDER, 'python-process.mjs'),
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
  // Ignore write errors if the process has exited.
  child.stdin?.on('error', () => undefined);
  return child;
}

/** Sends one message: its length in four bytes, then its bytes. */
function sendPart(child: ChildProcess, bytes: Uint8Array): void {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  child.stdin?.write(length);
  child.stdin?.write(bytes);
}

let made: Promise<Buffer> | null = null;

/**
 * Returns a memory snapshot of a freshly loaded interpreter, about 30 MB. Starting from it is ten times as fast. Created once per process,
 * and again after a failure.
 */
function interpreterMemory(): Promise<Buffer> {
  made ??= make().catch((error: unknown) => {
    made = null;
    throw error;
  });
  return made;
}

function make(): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = startInterpreter('make');
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`the Python interpreter ended with ${code}`)),
    );
  });
}

/** Maximum number of concurrent evaluations. Each uses a CPU core. */
const MAX_CONCURRENT_EVALUATIONS = 2;
/** Startup timeout of an interpreter, in milliseconds. */
const START_LIMIT_MS = 60_000;
/** Time after which an unused interpreter is stopped, in milliseconds. */
const IDLE_MS = 600_000;

/** Python interpreters. `run` is a `PythonRunner`, `warm` starts preparing an interpreter, `close` stops all processes. */
export type Python = { run: PythonRunner; warm(): void; close(): void };

/** Two interpreters, so that the expected results of the tests never reach the process of the solution. */
type Ready = { candidate: ChildProcess; checker: ChildProcess; isReady: Promise<boolean> };

/**
 * Runs Python interpreters in separate processes. Each is used for one solution and then discarded. The next one is prepared in the
 * meantime, so that a solution need not wait for it.
 */
export function openPython(): Python {
  const children = new Set<ChildProcess>();
  const turns = openTurns();
  let next: Ready | null = null;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const makeReady = (): Ready => {
    const [candidate, checker] = [startInterpreter('run'), startInterpreter('run')];
    for (const child of [candidate, checker]) {
      children.add(child);
      child.once('close', () => children.delete(child));
    }
    const isReady = Promise.all([becomesReady(candidate), becomesReady(checker)]).then((both) => both.every(Boolean));
    return { candidate, checker, isReady };
  };
  const warm = () => {
    if (isClosed) return;
    next ??= makeReady();
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (next !== null) end(next);
      next = null;
    }, IDLE_MS).unref();
  };
  const perform = async (request: PythonRequest): Promise<PythonReport> => {
    warm();
    const ready = next ?? makeReady();
    next = null;
    if (!(await ready.isReady)) {
      end(ready);
      return { type: 'unavailable', problem: 'No Python interpreter could be started.' };
    }
    const report = judge(ready, request);
    warm();
    return report;
  };

  return {
    warm,
    run: (request) => inTurn(turns, MAX_CONCURRENT_EVALUATIONS, () => perform(request)),
    close() {
      isClosed = true;
      clearTimeout(idle);
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Resolves to true if the process reports that it is ready in time, false if it exits or times out. */
function becomesReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => resolve(false), START_LIMIT_MS).unref();
    const settle = (isReady: boolean) => {
      clearTimeout(limit);
      resolve(isReady);
    };
    child.once('error', () => settle(false));
    child.once('close', () => settle(false));
    child.stdout?.once('data', () => settle(true));
    interpreterMemory().then(
      (memory) => sendPart(child, memory),
      () => settle(false),
    );
  });
}

function end({ candidate, checker }: Ready): void {
  candidate.kill('SIGKILL');
  checker.kill('SIGKILL');
}

function judge(pair: Ready, { code, tests, timeoutMs }: PythonRequest): Promise<PythonReport> {
  const { candidate, checker } = pair;
  const startedAt = performance.now();
  const transcript = new PythonTranscript();
  return new Promise((resolve) => {
    const finish = (ending: 'done' | 'out_of_time' | 'broken') => {
      clearTimeout(limit);
      end(pair);
      const durationMs = Math.round(performance.now() - startedAt);
      resolve(transcript.report(ending, { durationMs, timeoutMs }));
    };
    const limit = setTimeout(() => finish('out_of_time'), timeoutMs);
    checker.stdout?.on('data', (chunk: Buffer) => {
      if (transcript.read(chunk)) finish('done');
    });
    checker.once('close', () => finish(transcript.isDone ? 'done' : 'broken'));
    // The checker would treat the end of the answers as its own end. Results reported before remain valid.
    candidate.once('close', () => finish(transcript.isDone ? 'done' : 'broken'));
    sendPart(candidate, Buffer.from(JSON.stringify({ role: 'candidate', code })));
    sendPart(checker, Buffer.from(JSON.stringify({ role: 'checker', tests })));
    connect(pair);
  });
}

/** Forwards requests from the tests to the solution and its answers back. Nothing else passes between the two processes. */
function connect({ candidate, checker }: Ready): void {
  const questions = checker.stdio[REQUESTS_FD];
  if (candidate.stdin === null || checker.stdin === null || !(questions instanceof Readable)) return;
  const answers = checker.stdin;
  questions.pipe(candidate.stdin);
  // Delayed so that an exit of the process is noticed before the checker reports a failed test. A solution may also close its output and
  // keep running.
  candidate.stdout?.pipe(answers, { end: false });
  candidate.stdout?.once('end', () => setTimeout(() => answers.destroyed || answers.end(), MS_TO_CLOSE).unref());
}

/** Time a process may take to exit after its output has ended, in milliseconds. */
const MS_TO_CLOSE = 1_000;

/** A fenced block: its fence, mark and code. Also matches a fence in the last line, without code: otherwise a long one takes forever. */
const FENCED =
  /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*(?:\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))|(?![\s\S]))/gm;

/** Returns the Python code in an output: its longest block marked as Python, otherwise its longest unmarked block, otherwise all of it. */
export function candidateCode(output: string): string {
  const blocks = [...output.matchAll(FENCED)].filter(([, , , code]) => code !== undefined);
  const marked = blocks.filter(([, , mark = '']) => /^(python|py|python3)$/i.test(mark));
  const plain = blocks.filter(([, , mark = '']) => mark === '');
  const candidates = (marked.length > 0 ? marked : plain).map(([, , , code = '']) => code);
  return candidates.toSorted((one, other) => other.length - one.length)[0] ?? output;
}
