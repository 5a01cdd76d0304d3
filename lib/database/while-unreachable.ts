import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/**
 * Errors of a connection that broke or could not be made (Node); of a server that shuts down or starts up, whose disk is full, or
 * that has no connection left (PostgreSQL).
 */
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08003',
  '08006',
  '53100',
  '53300',
]);

/** How Prisma tells what its database adapter met with. */
const adapterErrorSchema = z.object({
  meta: z.object({
    driverAdapterError: z.object({
      cause: z.object({
        kind: z.string(),
        originalCode: z.string().default(''),
        originalMessage: z.string().optional(),
      }),
    }),
  }),
});
const causeOf = (error: unknown) => adapterErrorSchema.safeParse(error).data?.meta.driverAdapterError.cause;
const AWAY_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);

/** Whether an error says that the database could not be reached or had no room just now, and not that it refused what was asked. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && AWAY_CODES.has(error.code)) return true;
  const adapterError = causeOf(error);
  if (adapterError !== undefined && (AWAY_KINDS.has(adapterError.kind) || AWAY_CODES.has(adapterError.originalCode)))
    return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Unable to start a transaction in the given time/i.test(
    error.message,
  );
}

/** An error's message for people: where Prisma wraps what the database said, that alone. */
export function errorReason(error: unknown): string {
  return causeOf(error)?.originalMessage ?? (error instanceof Error ? error.message : String(error));
}

/**
 * Repeats `work` while the database cannot be reached, for up to `limitMs`, so that what was paid for is not lost over a restart
 * of the server. `again` tells `work` that an earlier try may have got through. Other errors are thrown at once.
 */
export async function whileUnreachable<Value>(
  work: (again: boolean) => Promise<Value>,
  limitMs: number,
  signal: AbortSignal,
): Promise<Value> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS, again = false; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS), again = true) {
    try {
      return await work(again);
    } catch (error) {
      if (!isUnreachable(error) || signal.aborted || performance.now() - startedAt > limitMs) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
