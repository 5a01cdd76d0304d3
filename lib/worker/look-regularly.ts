import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';

/** `atOnce`: the first look is now. `quietWhileAway`: that the database is away is left to the health check to tell. */
type LookOptions = { atOnce?: boolean; quietWhileAway?: boolean };

/**
 * Looks every `everyMs` milliseconds from now on, one look at a time: none begins while another is under way. A failure is logged under
 * `name`. Answers how to stop, which aborts the look's signal and waits for what is under way.
 */
export function lookRegularly(
  name: string,
  everyMs: number,
  look: (signal: AbortSignal) => Promise<unknown>,
  { atOnce = false, quietWhileAway = false }: LookOptions = {},
): () => Promise<void> {
  const stopping = new AbortController();
  let underWay: Promise<unknown> | null = null;
  const begin = () => {
    underWay ??= look(stopping.signal)
      .catch((error: unknown) => {
        if (!quietWhileAway || !isUnreachable(error)) getLog().error(name, error);
      })
      .finally(() => {
        underWay = null;
      });
  };
  const looking = setInterval(begin, everyMs).unref();
  if (atOnce) begin();
  return async () => {
    stopping.abort();
    clearInterval(looking);
    await underWay;
  };
}
