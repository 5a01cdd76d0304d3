import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';
import type { Log } from '#lib/log/log.ts';

/**
 * Next prints whatever a page or an action throws as an error with its stack. That somebody was turned away is none, and stands in the
 * audit log: it becomes one line of the log.
 */
export function logRefusals(log: Log, target: Pick<Console, 'error'> = console): void {
  const print = target.error.bind(target);
  target.error = (...values: unknown[]) => {
    const refusal = values.find((value) => readRefusalDigest(value) !== null);
    if (refusal instanceof Error) log.info(`turned away: ${refusal.message}`);
    else print(...values);
  };
}
