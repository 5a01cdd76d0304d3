import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { archiveBeyondRetention } from './write-queries.ts';

/**
 * Lock for deduplicating, admitting and archiving lessons, one process at a time. It ensures that one of two identical new lessons finds
 * the other.
 */
export const ADMITTING = 'admit-lessons';

/** Returns the number of unreviewed lessons per agent that the run's experiment keeps. Null if all are kept or the run was deleted. */
async function retentionOf(transaction: Transaction, runId: string): Promise<number | null> {
  const run = await transaction.run.findUnique({ where: { id: runId }, select: { settings: true } });
  return run === null ? null : settingsSchema.parse(run.settings.settings).lessons.retentionPerAgent;
}

/** Agents over their retention limit whose lessons are in use by unfinished runs. Each maps to the run that defines the limit. */
const deferred = new WeakMap<Database, Map<string, string>>();

/**
 * Archives an agent's lessons beyond the retention limit of the run's experiment: see `archiveBeyondRetention`. Lessons in use by
 * unfinished runs are left to `retainDeferred`.
 */
export async function retainLessons(
  { database, now }: AppContext,
  { agent, runId }: { agent: string; runId: string },
): Promise<void> {
  const { isAnyInUse } = await inTransaction(database, async (transaction) => {
    // This transaction locks several lessons and must not wait for one while it holds another.
    await lockUntilCommit(transaction, ADMITTING);
    const keep = await retentionOf(transaction, runId);
    return keep === null ? { isAnyInUse: false } : archiveBeyondRetention(transaction, { agent, keep, now: now() });
  });
  const waiting = deferred.get(database) ?? new Map<string, string>();
  deferred.set(database, waiting);
  if (isAnyInUse) waiting.set(agent, runId);
  else waiting.delete(agent);
}

/** Returns true if this process has deferred archiving for agents whose lessons are in use by unfinished runs. */
export function hasDeferred(database: Database): boolean {
  return (deferred.get(database)?.size ?? 0) > 0;
}

/** Retries archiving for the agents that this process deferred because unfinished runs used their lessons. */
export async function retainDeferred(context: AppContext, signal: AbortSignal): Promise<void> {
  for (const [agent, runId] of [...(deferred.get(context.database) ?? [])])
    if (!signal.aborted) await retainLessons(context, { agent, runId });
}

/**
 * Returns the lessons that a person rejected or archived, directly or through the lesson they were merged into, and those that screening
 * holds for review. Excludes lessons archived by retention without a review, because a run that failed meanwhile continues with its own.
 */
export async function refusedLessons(database: Database, ids: string[]): Promise<Set<string>> {
  const rejected: LessonStatus = 'rejected';
  const archived: LessonStatus = 'archived';
  const refused = [{ status: rejected }, { status: archived, reviewedAt: { not: null } }];
  const found = await database.prisma.lesson.findMany({
    where: {
      id: { in: ids },
      OR: [
        { mergedIntoId: null, OR: refused },
        { mergedInto: { mergedIntoId: null, OR: refused } },
        { status: 'candidate', admission: 'held' },
      ],
    },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}
