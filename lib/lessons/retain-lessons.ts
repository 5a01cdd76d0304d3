import type pg from 'pg';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { takeTurnToAdmit } from './lesson-admission.ts';

const SETTINGS = `
  SELECT s.settings FROM runs r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version WHERE r.id = $1`;

/** How many unreviewed lessons of its agent the experiment of a run keeps; null: all, or the run was deleted. */
async function retentionOf(client: pg.PoolClient, runId: string): Promise<number | null> {
  const { rows } = await client.query<{ settings: unknown }>(SETTINGS, [runId]);
  return rows[0] === undefined ? null : settingsSchema.parse(rows[0].settings).lessons.retentionPerAgent;
}

/** $1 the agent, $2 how many are kept. `isInUse`: the run that wrote it is under way and builds on it. */
const BEYOND_RETENTION = `
  SELECT old.id, r.status IN ('queued', 'running', 'waiting') AS "isInUse" FROM (
    SELECT id, run_id FROM lessons WHERE agent = $1 AND status = ANY ('{candidate,quarantined}')
      AND admission IN ('admitted', 'held') AND run_id IS NOT NULL AND reviewed_at IS NULL
    ORDER BY created_at DESC, id OFFSET $2) old
  JOIN runs r ON r.id = old.run_id`;

const ARCHIVE = `
  WITH old AS (
    SELECT id FROM lessons WHERE id = ANY ($1::uuid[]) AND status IN ('candidate', 'quarantined') ORDER BY id FOR NO KEY UPDATE),
  put_away AS (UPDATE lessons l SET status = 'archived' FROM old WHERE l.id = old.id RETURNING l.id)
  INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
  SELECT id, (SELECT coalesce(max(number) + 1, 0) FROM lesson_checks c WHERE c.lesson_id = put_away.id),
    (SELECT count(*) FROM lesson_edits e WHERE e.lesson_id = put_away.id), 'retention', 'archived', json_build_object('keep', $2::int), $3
  FROM put_away`;

/**
 * Archives the oldest lessons, of whatever kind, that runs wrote for an agent and that wait for a review, beyond the newest `keep`. Never
 * archived, nor counted: what a person promoted or restored, and what people wrote or imported. A lesson of a run that is under way stays
 * until the run has ended; the answer says whether there is one. The caller must have the turn to admit, and hold no lesson.
 */
async function archiveBeyondRetention(
  client: pg.PoolClient,
  { agent, keep, now }: { agent: string; keep: number; now: Date },
): Promise<{ isAnyInUse: boolean }> {
  const { rows } = await client.query<{ id: string; isInUse: boolean }>(BEYOND_RETENTION, [agent, keep]);
  const ids = rows.filter(({ isInUse }) => !isInUse).map(({ id }) => id);
  if (ids.length > 0) await client.query(ARCHIVE, [ids, keep, now]);
  return { isAnyInUse: ids.length < rows.length };
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
  const { isAnyInUse } = await inPoolTransaction(database, async (client) => {
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
