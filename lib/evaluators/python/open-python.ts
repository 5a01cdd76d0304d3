import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { sandboxUser } from '#lib/system/server-user.ts';
import { type PythonReport, type PythonRequest, type PythonRunner, PythonTranscript } from './python-report.ts';

/** The file that tests write to what they ask of the solution. */
const QUESTIONS = 3;

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
function sendPart(child: ChildProcess, bytes: Uint8Array): void {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  child.stdin?.write(length);
  child.stdin?.write(bytes);
}

let made: Promise<Buffer> | null = null;

/**
 * The memory of an interpreter that has just been loaded, about 30 MB: one that begins with it is ready in a tenth of the time.
 * Made once in this process, and again where that failed.
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

/** At most so many evaluations at once: each takes a processor. */
const MOST_AT_ONCE = 2;
/** How long an interpreter may take to be ready, in milliseconds. */
const START_LIMIT_MS = 60_000;
/** An interpreter that nobody asked for is ended after this long, in milliseconds. */
const IDLE_MS = 600_000;

/** `run` as PythonRunner says; `warm` begins to make one ready; `close` ends all processes. */
export type Python = { run: PythonRunner; warm(): void; close(): void };

/** Two interpreters: what the tests expect never comes to where the solution is. */
type Ready = { candidate: ChildProcess; checker: ChildProcess; isReady: Promise<boolean> };

/**
 * Python interpreters in processes of their own. Each judges one solution and is thrown away; meanwhile the next one is made
 * ready, so that a solution need not wait for it.
 */
export function openPython(): Python {
  const children = new Set<ChildProcess>();
  const queue: (() => void)[] = [];
  let atWork = 0;
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
    const taken = next ?? makeReady();
    next = null;
    if (!(await taken.isReady)) {
      end(taken);
      return { type: 'unavailable', problem: 'No Python interpreter could be started.' };
    }
    const report = judge(taken, request);
    warm();
    return report;
  };

  return {
    warm,
    async run(request) {
      if (atWork >= MOST_AT_ONCE) await new Promise<void>((go) => queue.push(go));
      atWork++;
      try {
        return await perform(request);
      } finally {
        atWork--;
        queue.shift()?.();
      }
    },
    close() {
      isClosed = true;
      clearTimeout(idle);
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Whether it says so in time; one that ends before does not. */
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
    // The checker takes an end of the answers for the end of all; what it said before that stays true.
    candidate.once('close', () => finish(transcript.isDone ? 'done' : 'broken'));
    sendPart(candidate, Buffer.from(JSON.stringify({ role: 'candidate', code })));
    sendPart(checker, Buffer.from(JSON.stringify({ role: 'checker', tests })));
    connect(pair);
  });
}

/** Brings what the tests ask to the solution, and its answers back: nothing else goes between the two. */
function connect({ candidate, checker }: Ready): void {
  const questions = checker.stdio[QUESTIONS];
  if (candidate.stdin === null || checker.stdin === null || !(questions instanceof Readable)) return;
  const answers = checker.stdin;
  questions.pipe(candidate.stdin);
  // An end of the process is heard before the checker can take it for a failed test; a solution may also close its output and live on.
  candidate.stdout?.pipe(answers, { end: false });
  candidate.stdout?.once('end', () => setTimeout(() => answers.destroyed || answers.end(), MS_TO_CLOSE).unref());
}

/** How long a process whose output has ended may take to close, in milliseconds. */
const MS_TO_CLOSE = 1_000;

/** The Python in an output: its longest block marked as Python, else its longest block without a mark, else all of it. */
export function candidateCode(output: string): string {
  const blocks = [
    ...output.matchAll(/^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm),
  ];
  const marked = blocks.filter(([, , mark = '']) => /^(python|py|python3)$/i.test(mark));
  const plain = blocks.filter(([, , mark = '']) => mark === '');
  const candidates = (marked.length > 0 ? marked : plain).map(([, , , code = '']) => code);
  return candidates.toSorted((one, other) => other.length - one.length)[0] ?? output;
}
