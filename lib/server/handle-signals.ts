import { setTimeout as sleep } from 'node:timers/promises';
import { getLog } from '#lib/log/log.ts';

type Close = () => Promise<void> | void;

/** How this process ends: asked by a signal, by its parent's death or by a failure, always the same way. */
export type Ending = {
  /** Aborted when the end was asked for; every step of the start listens to it. */
  signal: AbortSignal;
  /** What must be closed at the end; last deferred is closed first. */
  defer(close: Close): void;
  /** Asks for the end. */
  request(reason: string, exitCode: number): void;
  /** Gives the end this much longer than its 5 s. A second signal, from 1 s after the first on, then ends at once. */
  prolong(byMs: number): void;
  /** Closes everything, each within its own limits and all within 5 s, and ends the process. */
  finish(exitCode: number): Promise<never>;
};

const LONGEST_END_MS = 4900;

/** Takes the signals before anything else is started, so that none finds the process without an answer. */
export function handleSignals(say: (line: string) => void): Ending {
  const controller = new AbortController();
  const closers: Close[] = [];
  let code = 0;
  let longestMs = LONGEST_END_MS;
  let askedAt = 0;

  const begin = (reason: string | null, exitCode: number) => {
    if (controller.signal.aborted) return;
    if (reason !== null) say(reason);
    code = exitCode;
    askedAt = performance.now();
    setTimeout(() => process.exit(code || 1), longestMs).unref();
    controller.abort();
  };
  const request = (reason: string, exitCode: number) => begin(reason, exitCode);
  const onSignal = (name: NodeJS.Signals) => {
    const isImpatient = longestMs > LONGEST_END_MS && controller.signal.aborted && performance.now() - askedAt > 1_000;
    if (isImpatient) process.exit(code || 1);
    request(`stopping (${name})`, 0);
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  process.on('uncaughtException', (error) => {
    getLog().error('something broke', error);
    if (isLeftRequest(error)) return;
    request('stopping, since something broke', 1);
  });
  process.on('unhandledRejection', (reason) => getLog().error('something broke and nobody heard of it', reason));
  // The terminal may be gone before us.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  watchParent(() => request('stopping, since npm has ended', 0));

  const finish = async (exitCode: number): Promise<never> => {
    begin(null, exitCode);
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        say(`while stopping: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    process.exit(code);
  };
  const prolong = (byMs: number) => {
    longestMs = LONGEST_END_MS + byMs;
  };
  return { signal: controller.signal, defer: (close) => closers.push(close), request, prolong, finish };
}

/** A browser left in the middle of what it sent: Next's development server lets that through to here, and nothing is broken. */
function isLeftRequest(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
}

/** npm passes on SIGINT and SIGTERM; at any other signal it dies without a word to what it started. */
function watchParent(onDeath: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onDeath();
  }, 300);
  timer.unref();
}

/** Waits for a step that listens to `signal`, but not for ever once the end was asked for. */
export async function settleOrLeave(step: Promise<unknown>, signal: AbortSignal, limitMs: number): Promise<void> {
  const leave = new Promise<void>((resolve) => {
    const wait = () => void sleep(limitMs, undefined, { ref: false }).then(() => resolve());
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
  await Promise.race([step, leave]);
}
