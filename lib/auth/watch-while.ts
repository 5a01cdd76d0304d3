import { getLog } from '#lib/log/log.ts';

/**
 * Asks every `stepMs` milliseconds whether something still holds, and calls `end` once when it does not; answers how to stop asking. An
 * asking that fails ends nothing: say the database is away, it is asked again.
 */
export function watchWhile(holds: () => Promise<boolean>, end: () => void, stepMs: number): () => void {
  const asking = setInterval(() => {
    holds().then(
      (still) => {
        if (still) return;
        clearInterval(asking);
        end();
      },
      (error: unknown) => getLog().warn('a stream could not be looked at', { reason: String(error) }),
    );
  }, stepMs);
  asking.unref();
  return () => clearInterval(asking);
}
