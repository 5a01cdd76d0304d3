import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { takeTurnToAdmit } from './lesson-admission.ts';
import { archiveBeyondRetention, retentionOf } from './lesson-retention.ts';

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
  const { isAnyInUse } = await inTransaction(database, async (client) => {
    // It holds several lessons at once, and must not wait for one while it has another.
    await takeTurnToAdmit(client);
    const keep = await retentionOf(client, runId);
    return keep === null ? { isAnyInUse: false } : archiveBeyondRetention(client, { agent, keep, now: now() });
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
