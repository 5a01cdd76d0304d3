import type pg from 'pg';
import { settingsSchema } from '#lib/core/settings.ts';

const SETTINGS = `
  SELECT s.settings FROM runs r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version WHERE r.id = $1`;

/** How many unreviewed lessons of its agent the experiment of a run keeps; null: all, or the run was deleted. */
export async function retentionOf(client: pg.PoolClient, runId: string): Promise<number | null> {
  const { rows } = await client.query<{ settings: unknown }>(SETTINGS, [runId]);
  return rows[0] === undefined ? null : settingsSchema.parse(rows[0].settings).lessons.retentionPerAgent;
}

/** $1 the agent, $2 how many are kept. `isInUse`: the run that wrote it is under way and builds on it. */
export const BEYOND_RETENTION = `
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
export async function archiveBeyondRetention(
  client: pg.PoolClient,
  { agent, keep, now }: { agent: string; keep: number; now: Date },
): Promise<{ isAnyInUse: boolean }> {
  const { rows } = await client.query<{ id: string; isInUse: boolean }>(BEYOND_RETENTION, [agent, keep]);
  const ids = rows.filter(({ isInUse }) => !isInUse).map(({ id }) => id);
  if (ids.length > 0) await client.query(ARCHIVE, [ids, keep, now]);
  return { isAnyInUse: ids.length < rows.length };
}
