import { fail, type Refusal } from '#lib/core/problem.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { getLog, thrownText } from '#lib/log/log.ts';
import type { DatabaseClient } from './database.ts';
import { databaseErrorCode } from './retry-while-unreachable.ts';

/** The Prisma client inside a transaction: models and raw SQL on one connection. */
export type Transaction = Prisma.TransactionClient;

/** `timeout`: maximum duration in milliseconds, by default 10 minutes. */
type TransactionOptions = { timeout?: number };

/** Operations on very many rows exceed the client's own limit. The server terminates idle connections. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** Runs `work` in one transaction: committed when it resolves, rolled back when it throws. */
export function inTransaction<Value>(
  { prisma }: DatabaseClient,
  work: (transaction: Transaction) => Promise<Value>,
  options: TransactionOptions = {},
): Promise<Value> {
  return prisma.$transaction(work, { timeout: DEFAULT_TIMEOUT_MS, ...options });
}

/** Runs `work` in one transaction: committed when it resolves to `ok: true`, rolled back when it resolves to a problem or throws. */
export async function tryInTransaction<Outcome extends { ok: boolean }>(
  { prisma }: DatabaseClient,
  work: (transaction: Transaction) => Promise<Outcome>,
  options: TransactionOptions = {},
): Promise<Outcome> {
  let refused: Outcome | undefined;
  try {
    return await prisma.$transaction(
      async (transaction) => {
        const outcome = await work(transaction);
        if (outcome.ok) return outcome;
        refused = outcome;
        throw new Error('rolled back');
      },
      { timeout: DEFAULT_TIMEOUT_MS, ...options },
    );
  } catch (error) {
    if (refused !== undefined) return refused;
    throw error;
  }
}

/** Code of PostgreSQL for a row that refers to a missing row. */
const MISSING_REFERENCE = '23503';

/** Returns true if a write failed because a row that it refers to does not exist, for example because it was deleted since. */
export function isReferenceError(error: unknown): boolean {
  return databaseErrorCode(error) === MISSING_REFERENCE;
}

/**
 * Returns the problem of a command whose write failed because something that it refers to was deleted since. Null for other errors. Logs
 * the error, because a wrong order of writes would look the same.
 */
export function deletedProblem(error: unknown): Refusal | null {
  if (!isReferenceError(error)) return null;
  getLog().warn(`a write referred to a missing row: ${thrownText(error)}`);
  return fail(
    'not_found',
    'Something that this request refers to was deleted at the same time. Check that it still exists, then try again.',
  );
}
