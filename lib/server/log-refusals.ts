import { readRefusalDigest } from '#lib/auth/refusal-digest.ts';
import type { Log } from '#lib/log/log.ts';

/**
 * Logs denied access as one line. Next prints everything that a page or an action throws as an error with a stack. Denied access is not an
 * error and is already in the audit log.
 */
export function logRefusals(log: Log, target: Pick<Console, 'error'> = console): void {
  const print = target.error.bind(target);
  target.error = (...values: unknown[]) => {
    const refusal = values.find((value) => readRefusalDigest(value) !== null);
    if (refusal instanceof Error) log.info(`access denied: ${refusal.message}`);
    else print(...values);
  };
}
