import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

type PoolOptions<Answer> = {
  /** A source file that Node runs as it is; in the package, its compiled copy is taken. It posts `'begun'` and then one answer for each request. */
  file: string;
  /** At most so many threads, whatever number of requests there is: the app itself needs a processor too. */
  most: number;
  /** A thread that says nothing for this long after it began is ended. */
  givenUpMs: number;
  memoryMb: number;
  /** Whether a thread that gave this answer can be asked again. */
  isUsable?: (answer: Answer) => boolean;
};

/** What became of a request: an answer, or why the thread gave none. */
type PoolOutcome<Answer> =
  | { type: 'answered'; answer: Answer }
  | { type: 'out_of_time' }
  | { type: 'out_of_memory' }
  | { type: 'broken'; message: string };

/** How long a thread may take to start, in milliseconds. */
const START_LIMIT_MS = 30_000;

// Asked for at run time: a bundler would look for the file of a `new Worker` it can see, and not find it.
const threads = process.getBuiltinModule('node:worker_threads');

/**
 * Work in threads that can be ended, so that this one goes on whatever the work does. Threads start when they are first needed and are
 * used again; requests wait for a free one. The promise never rejects.
 */
export function threadPool<Request, Answer extends object>({
  file,
  most,
  givenUpMs,
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
    // A thread that is only starting has not begun yet.
    let limit = setTimeout(() => finish({ type: 'broken', message: 'the thread did not start' }), START_LIMIT_MS);
    worker.ref();
    const onMessage = (answer: Answer | 'begun') => {
      if (answer !== 'begun') return finish({ type: 'answered', answer });
      clearTimeout(limit);
      limit = setTimeout(() => finish({ type: 'out_of_time' }), givenUpMs);
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
