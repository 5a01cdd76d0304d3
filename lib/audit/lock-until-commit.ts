import type { AuditConnection } from './insert-audit.ts';

/**
 * Makes whoever counts rows and then adds one under the same `key` wait for one another, to the end of the transaction, over all
 * processes: without it, those who ask at the same moment all count the same rows and pass the limit together.
 */
export async function lockUntilCommit(transaction: AuditConnection, key: string): Promise<void> {
  const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
  if ('query' in transaction) await transaction.query(lock, [`hone:${key}`]);
  else await transaction.$executeRawUnsafe(lock, `hone:${key}`);
}
