import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { JAVASCRIPT_TIME_MS, type JavascriptAnswer, type JavascriptRequest } from './javascript-answer.ts';

/** At most so many threads, whatever number of runs is at work: the app itself needs a processor too. */
const MOST_WORKERS = 2;
/** A thread that says nothing for this long is ended: native loops of the interpreter can't be interrupted from within. */
const GIVEN_UP_MS = JAVASCRIPT_TIME_MS + 2_000;

/** How long a thread may take to start, in milliseconds. */
const START_LIMIT_MS = 30_000;

type Job = { request: JavascriptRequest; done: (answer: JavascriptAnswer) => void };

const idle: Worker[] = [];
const waiting: Job[] = [];
let working = 0;

/**
 * Runs a person's JavaScript in a sandbox: QuickJS in WASM, without network, files, process, clock or randomness, in a thread
 * that can be ended, so that this one goes on. Never rejects; jobs wait for a free thread.
 */
export function runJavascript(request: JavascriptRequest): Promise<JavascriptAnswer> {
  return new Promise((done) => {
    waiting.push({ request, done });
    takeNext();
  });
}

function takeNext(): void {
  if (working >= MOST_WORKERS) return;
  const job = waiting.shift();
  if (job === undefined) return;
  working++;
  perform(idle.pop() ?? openWorker(), job);
}

function perform(worker: Worker, job: Job): void {
  let isDone = false;
  const finish = (answer: JavascriptAnswer, isUsable: boolean) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(limit);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
    if (isUsable) idle.push(worker);
    else void worker.once('error', () => undefined).terminate();
    working--;
    job.done(answer);
    takeNext();
  };
  // A thread that is only starting has not begun yet.
  let limit = setTimeout(() => finish({ type: 'broken', message: 'the thread did not start' }, false), START_LIMIT_MS);
  worker.ref();
  const onMessage = (answer: JavascriptAnswer | 'begun') => {
    if (answer !== 'begun') return finish(answer, answer.type !== 'broken');
    clearTimeout(limit);
    limit = setTimeout(() => finish({ type: 'out_of_time' }, false), GIVEN_UP_MS);
  };
  const onError = (error: Error) => finish({ type: 'broken', message: error.message }, false);
  const onExit = () => finish({ type: 'broken', message: 'the thread ended' }, false);
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  worker.postMessage(job.request);
}

// Asked for at run time: a bundler would look for the file of a `new Worker` it can see, and not find it.
const threads = process.getBuiltinModule('node:worker_threads');

function openWorker(): Worker {
  return new threads.Worker(WORKER_FILE, {
    env: {},
    argv: [],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
}

/** A source file that Node runs as it is, also when this one was bundled. */
const WORKER_FILE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'javascript-worker.ts');
