import type { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { QUESTIONS, sendPart, startInterpreter } from './interpreter.ts';
import { interpreterMemory } from './interpreter-memory.ts';
import type { PythonReport, PythonRequest, PythonRunner } from './python-report.ts';
import { PythonTranscript } from './python-transcript.ts';

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
  questions.pipe(candidate.stdin);
  candidate.stdout?.pipe(checker.stdin);
}
