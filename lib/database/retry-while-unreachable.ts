import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/**
 * Maximum time a run waits for an unreachable database, in milliseconds. Giving up earlier would lose paid results, and nothing else can
 * be done without a database.
 */
const MAX_WAIT_MS = 24 * 3_600_000;
/**
 * Error codes that mean the database is temporarily unavailable. Node: the connection broke or could not be made. PostgreSQL: the server is
 * shutting down or starting up, its disk is full, or it has no connection left.
 */
const UNREACHABLE_CODES = new Set([
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

/** Shape of the error that Prisma throws for an error of its database adapter. */
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

const codedErrorSchema = z.object({ code: z.string() });

/** Returns the code that PostgreSQL or Node gave an error, whether Prisma wraps it or not. Null if it has none. */
export function databaseErrorCode(error: unknown): string | null {
  return causeOf(error)?.originalCode ?? codedErrorSchema.safeParse(error).data?.code ?? null;
}

const UNREACHABLE_KINDS = new Set(['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections']);

/**
 * Returns true if an error, or each of several, means that the database was unreachable or out of resources, false if it rejected the
 * query.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (UNREACHABLE_CODES.has(databaseErrorCode(error) ?? '')) return true;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnreachable);
  if (UNREACHABLE_KINDS.has(causeOf(error)?.kind ?? '')) return true;
  return /Connection terminated|LISTEN\/NOTIFY (heartbeat timed out|connection ended)|timeout exceeded when trying to connect|Client has encountered a connection error|Unable to start a transaction in the given time/i.test(
    error.message,
  );
}

/**
 * Returns the message of an error for display. If Prisma wraps a database error, returns only the database's message. If several addresses
 * of a server were tried, returns the message of each.
 */
export function errorReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorReason).join('; ');
  return causeOf(error)?.originalMessage ?? (error instanceof Error ? error.message : String(error));
}

/** Returns true if an error means that a disk or a quota has no space left, of the database or of a file. */
export function isFullDisk(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isFullDisk);
  return ['53100', 'ENOSPC', 'EDQUOT'].includes(databaseErrorCode(error) ?? '');
}

/**
 * Retries `work` while the database is unreachable, for up to `limitMs` (24 h by default). Paid results thus survive a database restart.
 * `again` is true on a retry, when an earlier attempt may have been committed. Other errors are thrown at once.
 */
export async function retryWhileUnreachable<Value>(
  work: (again: boolean) => Promise<Value>,
  signal: AbortSignal,
  limitMs: number = MAX_WAIT_MS,
): Promise<Value> {
  const startedAt = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS, again = false; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS), again = true) {
    try {
      return await work(again);
    } catch (error) {
      if (!isUnreachable(error) || signal.aborted || performance.now() - startedAt > limitMs) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
