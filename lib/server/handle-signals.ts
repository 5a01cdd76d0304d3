import { setTimeout as sleep } from 'node:timers/promises';
import { getLog } from '#lib/log/log.ts';

type Close = () => Promise<void> | void;

/** Shutdown of this process. It is the same for a signal, the death of its parent and a failure. */
export type Ending = {
  /** Aborted when shutdown is requested. Every step of the start listens to it. */
  signal: AbortSignal;
  /** Registers a function that runs at shutdown. The last registered runs first. */
  defer(close: Close): void;
  request(reason: string, exitCode: number): void;
  /**
   * Extends the 5 s shutdown limit by what `byMs` returns when the shutdown begins. A second signal at least 1 s after the first then ends
   * the process immediately.
   */
  prolong(byMs: () => number): void;
  /** Closes everything, each with its own limit and all within 5 s, and ends the process. */
  finish(exitCode: number): Promise<never>;
};

const MAX_SHUTDOWN_MS = 4900;

/** Installs the signal handlers. Must run before anything else starts, so that every signal is handled. */
export function handleSignals(log: (line: string) => void): Ending {
  const controller = new AbortController();
  const closers: Close[] = [];
  let code = 0;
  let longestMs = MAX_SHUTDOWN_MS;
  let longerMs = () => 0;
  let askedAt = 0;

  const begin = (reason: string | null, exitCode: number) => {
    if (controller.signal.aborted) return;
    if (reason !== null) log(reason);
    code = exitCode;
    askedAt = performance.now();
    longestMs += longerMs();
    setTimeout(() => process.exit(code || 1), longestMs).unref();
    controller.abort();
  };
  const request = (reason: string, exitCode: number) => begin(reason, exitCode);
  const onSignal = (name: NodeJS.Signals) => {
    const isImpatient = longestMs > MAX_SHUTDOWN_MS && controller.signal.aborted && performance.now() - askedAt > 1_000;
    if (isImpatient) process.exit(code || 1);
    request(`stopping (${name})`, 0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  process.on('uncaughtException', (error) => {
    getLog().error('an error was not caught', error);
    if (isLeftRequest(error)) return;
    request('stopping after an error that was not caught', 1);
  });
  process.on('unhandledRejection', (reason) => getLog().error('an error was not handled', reason));
  // The terminal may close before this process ends.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  watchParent(() => request('stopping, since npm has ended', 0));

  const finish = async (exitCode: number): Promise<never> => {
    begin(null, exitCode);
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        log(`while stopping: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    process.exit(code);
  };
  const prolong = (byMs: () => number) => {
    longerMs = byMs;
  };
  return { signal: controller.signal, defer: (close) => closers.push(close), request, prolong, finish };
}

/**
 * Returns true for the error of a client that aborted its request. Next's development server lets it reach this handler, and it is
 * harmless.
 */
function isLeftRequest(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
}

/** npm forwards only SIGINT and SIGTERM. On other signals it dies without notifying its child processes. */
function watchParent(onExit: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onExit();
  }, 300);
  timer.unref();
}

/** Waits for a step that listens to `signal`. After an abort, waits at most `limitMs`. */
export async function waitWithAbortLimit(step: Promise<unknown>, signal: AbortSignal, limitMs: number): Promise<void> {
  const leave = new Promise<void>((resolve) => {
    const wait = () => void sleep(limitMs, undefined, { ref: false }).then(() => resolve());
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
  await Promise.race([step, leave]);
}
