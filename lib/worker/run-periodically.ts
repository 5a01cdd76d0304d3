import { getLog } from '#lib/log/log.ts';

/** `atOnce`: also runs the task immediately. */
type PeriodOptions = { atOnce?: boolean };

/**
 * Runs a task every `everyMs` milliseconds, never twice at the same time. Logs failures under `name`. Returns a function that stops it,
 * aborts the signal of the task and waits for the task to finish.
 */
export function runPeriodically(
  name: string,
  everyMs: number,
  task: (signal: AbortSignal) => Promise<unknown>,
  { atOnce = false }: PeriodOptions = {},
): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  const begin = () => {
    underWay ??= task(stopping.signal)
      .catch((error: unknown) => {
        getLog().error(name, error);
      })
      .finally(() => {
        underWay = null;
      });
  };
  const timer = setInterval(begin, everyMs).unref();
  if (atOnce) begin();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    await underWay;
  };
}
