import type { DatabaseClient } from '#lib/database/database.ts';
import { databaseErrorCode } from '#lib/database/retry-while-unreachable.ts';
import { inTransaction } from '#lib/database/transactions.ts';

/** SQL: no call references the row `s` of `shared_prompts`. `$1`: an experiment, or null for all. */
const UNUSED = `($1::uuid IS NULL OR s.experiment_id = $1::uuid)
  AND NOT EXISTS (SELECT 1 FROM model_calls c WHERE c.shared_prompt_id = s.id)`;

/**
 * Deletes the shared texts of calls that no call references anymore, of one experiment or of all. Must follow every deletion of calls and
 * of their texts, in a separate transaction.
 */
export async function removeUnusedPrompts(database: DatabaseClient, experimentId: string | null = null): Promise<void> {
  const unused = await database.prisma.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM shared_prompts s WHERE ${UNUSED} LIMIT 1`,
    experimentId,
  );
  if (unused.length === 0) return;
  const removal = inTransaction(database, async (transaction) => {
    // Waits for saves that are storing a reference, and delays new ones, which then store the text again. Without the lock, a text could be
    // deleted between the two.
    await transaction.$executeRawUnsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await transaction.$executeRawUnsafe('LOCK TABLE shared_prompts IN SHARE ROW EXCLUSIVE MODE');
    await transaction.$executeRawUnsafe(`DELETE FROM shared_prompts s WHERE ${UNUSED}`, experimentId);
  });
  await removal.catch((error: unknown) => {
    if (databaseErrorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
  });
}

/** Saves wait behind a waiting lock, so it gives up soon. The next removal deletes the texts. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_NOT_AVAILABLE = '55P03';
