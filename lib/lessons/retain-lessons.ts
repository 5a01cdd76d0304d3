import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { archiveBeyondRetention } from './write-queries.ts';

/** One at a time may look for repeats, admit and archive, over all processes: of two new lessons that say the same one must see the other. */
export const ADMITTING = 'admit-lessons';

/** How many unreviewed lessons of its agent the experiment of a run keeps; null: all, or the run was deleted. */
async function retentionOf(transaction: Transaction, runId: string): Promise<number | null> {
  const run = await transaction.run.findUnique({ where: { id: runId }, select: { settings: true } });
  return run === null ? null : settingsSchema.parse(run.settings.settings).lessons.retentionPerAgent;
}

/** Agents with lessons beyond their retention that runs under way still build on, each with the run that says how many are kept. */
const deferred = new WeakMap<Database, Map<string, string>>();

/**
 * Archives what an agent has beyond the retention of the experiment of a run: see `archiveBeyondRetention`. Lessons of runs under way
 * wait for `retainDeferred`.
 */
export async function retainLessons(
  { database, now }: AppContext,
  { agent, runId }: { agent: string; runId: string },
): Promise<void> {
  const { isAnyInUse } = await inTransaction(database, async (transaction) => {
    // It holds several lessons at once, and must not wait for one while it has another.
    await lockUntilCommit(transaction, ADMITTING);
    const keep = await retentionOf(transaction, runId);
    return keep === null ? { isAnyInUse: false } : archiveBeyondRetention(transaction, { agent, keep, now: now() });
  });
  const waiting = deferred.get(database) ?? new Map<string, string>();
  deferred.set(database, waiting);
  if (isAnyInUse) waiting.set(agent, runId);
  else waiting.delete(agent);
}

/** Whether this process knows of agents whose lessons wait for runs under way. */
export function hasDeferred(database: Database): boolean {
  return (deferred.get(database)?.size ?? 0) > 0;
}

/** Looks again at the agents whose lessons were in use by runs under way, as far as this process knows of them. */
export async function retainDeferred(context: AppContext, signal: AbortSignal): Promise<void> {
  for (const [agent, runId] of [...(deferred.get(context.database) ?? [])])
    if (!signal.aborted) await retainLessons(context, { agent, runId });
}

/**
 * Those of the lessons that a person rejected or retired, or the ones they were merged into, and those that the screening holds. What
 * retention archived, without a review, is none of them: a run that failed meanwhile goes on with its own.
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
