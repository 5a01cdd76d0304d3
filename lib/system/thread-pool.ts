import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

type PoolOptions<Answer> = {
  /**
   * A source file that Node can run directly. The package uses its compiled copy. It posts `'begun'` and then one response for each
   * request.
   */
  file: string;
  /** Maximum number of threads, because the app itself needs a processor too. */
  most: number;
  /** Time after which a thread without a response is terminated, in milliseconds. */
  timeoutMs: number;
  memoryMb: number;
  /** Returns true if a thread can be reused after this response. */
  isUsable?: (answer: Answer) => boolean;
};

/** The outcome of a request: a response, or the reason there is none. */
type PoolOutcome<Answer> =
  | { type: 'answered'; answer: Answer }
  | { type: 'out_of_time' }
  | { type: 'out_of_memory' }
  | { type: 'broken'; message: string };

/** Maximum startup time of a thread, in milliseconds. */
const START_LIMIT_MS = 30_000;

// Loaded at run time, because a bundler would try to resolve the file of a visible `new Worker`, and fail.
const threads = process.getBuiltinModule('node:worker_threads');

/**
 * Runs work in threads that can be terminated, so that it cannot block this one. Threads are started on demand and reused. Requests wait
 * for a free thread. The promise never rejects.
 */
export function threadPool<Request, Answer extends object>({
  file,
  most,
  timeoutMs,
  memoryMb,
  isUsable = () => true,
}: PoolOptions<Answer>): (request: Request) => Promise<PoolOutcome<Answer>> {
  type Job = { request: Request; done: (outcome: PoolOutcome<Answer>) => void };
  const idle: Worker[] = [];
  const waiting: Job[] = [];
  let working = 0;

  function takeNext(): void {
    if (working >= most) return;
    const job = waiting.shift();
    if (job === undefined) return;
    working++;
    perform(idle.pop() ?? openWorker(), job);
  }

  function perform(worker: Worker, job: Job): void {
    let isDone = false;
    const finish = (outcome: PoolOutcome<Answer>) => {
      if (isDone) return;
      isDone = true;
      clearTimeout(limit);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
      if (outcome.type === 'answered' && isUsable(outcome.answer)) idle.push(worker);
      else void worker.once('error', () => undefined).terminate();
      working--;
      job.done(outcome);
      takeNext();
    };
    // The time limit starts when the thread reports `'begun'`.
    let limit = setTimeout(() => finish({ type: 'broken', message: 'the thread did not start' }), START_LIMIT_MS);
    worker.ref();
    const onMessage = (answer: Answer | 'begun') => {
      if (answer !== 'begun') return finish({ type: 'answered', answer });
      clearTimeout(limit);
      limit = setTimeout(() => finish({ type: 'out_of_time' }), timeoutMs);
    };
    const onError = (error: Error) =>
      finish(
        'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? { type: 'out_of_memory' }
          : { type: 'broken', message: error.message },
      );
    const onExit = () => finish({ type: 'broken', message: 'the thread ended' });
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job.request);
  }

  function openWorker(): Worker {
    return new threads.Worker(existsSync(file) ? file : file.replace(/\.ts$/, '.js'), {
      env: {},
      argv: [],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
  }

  return (request) =>
    new Promise((done) => {
      waiting.push({ request, done });
      takeNext();
    });
}
