import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Answers when `GET /api/v1/health` says 200: pages, database and worker are there. Gives up after `limitMs` with what it said last. */
export async function waitForHealth(base: string, signal: AbortSignal, limitMs: number): Promise<Result<null>> {
  const until = Date.now() + limitMs;
  let last = 'no answer';
  while (Date.now() < until && !signal.aborted) {
    try {
      const response = await fetch(`${base}/api/v1/health`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
      });
      if (response.status === 200) return succeed(null);
      last = `${response.status} ${(await response.text()).slice(0, 500)}`;
    } catch (error) {
      last = String(error);
    }
    await sleep(100);
  }
  return fail('unavailable', `Hone started, but is not well. Its health check says: ${last}`);
}
