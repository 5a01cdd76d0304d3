import type { ChildProcess } from 'node:child_process';
import { sendPart, startInterpreter } from './interpreter.ts';
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

type Ready = { child: ChildProcess; isReady: Promise<boolean> };

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
    const child = startInterpreter('run');
    children.add(child);
    child.once('close', () => children.delete(child));
    return { child, isReady: becomesReady(child) };
  };
  const warm = () => {
    if (isClosed) return;
    next ??= makeReady();
    clearTimeout(idle);
    idle = setTimeout(() => {
      next?.child.kill('SIGKILL');
      next = null;
    }, IDLE_MS).unref();
  };
  const perform = async (request: PythonRequest): Promise<PythonReport> => {
    warm();
    const taken = next ?? makeReady();
    next = null;
    if (!(await taken.isReady)) {
      taken.child.kill('SIGKILL');
      return { type: 'unavailable', problem: 'No Python interpreter could be started.' };
    }
    const report = judge(taken.child, request);
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

function judge(child: ChildProcess, { code, tests, timeoutMs }: PythonRequest): Promise<PythonReport> {
  const startedAt = performance.now();
  const transcript = new PythonTranscript();
  return new Promise((resolve) => {
    const finish = (ending: 'done' | 'out_of_time' | 'broken') => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      const durationMs = Math.round(performance.now() - startedAt);
      resolve(transcript.report(ending, { durationMs, timeoutMs }));
    };
    const limit = setTimeout(() => finish('out_of_time'), timeoutMs);
    child.stdout?.on('data', (chunk: Buffer) => {
      if (transcript.read(chunk)) finish('done');
    });
    child.once('close', () => finish(transcript.isDone ? 'done' : 'broken'));
    sendPart(child, Buffer.from(JSON.stringify({ code, tests })));
  });
}
