import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';

/** `atOnce`: runs it now too. `quietWhileAway`: logs no failure while the database is away, which the health check reports. */
type PeriodOptions = { atOnce?: boolean; quietWhileAway?: boolean };

/**
 * Runs a task every `everyMs` milliseconds, never twice at the same time. A failure is logged under `name`. Returns a function that stops it,
 * aborts the signal of the task and waits for what is under way.
 */
export function runPeriodically(
  name: string,
  everyMs: number,
  task: (signal: AbortSignal) => Promise<unknown>,
  { atOnce = false, quietWhileAway = false }: PeriodOptions = {},
): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  const begin = () => {
    underWay ??= task(stopping.signal)
      .catch((error: unknown) => {
        if (!quietWhileAway || !isUnreachable(error)) getLog().error(name, error);
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
