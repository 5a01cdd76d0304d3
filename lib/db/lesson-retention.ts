import type pg from 'pg';
import type { LessonKind } from '#lib/reflection/lesson-kinds.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';

/** The forms that have files of their own in the exchange: only they are put away by age. */
const RETAINED_KINDS: readonly LessonKind[] = ['failure', 'partial', 'success', 'decision'];

/** Whether an agent keeps only so many of a kind. */
export function isRetained(kind: LessonKind): boolean {
  return RETAINED_KINDS.includes(kind);
}

const SETTINGS = `
  SELECT s.settings FROM runs r
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version WHERE r.id = $1`;

/** How many unreviewed reflections of its agent the experiment of a run keeps; null: all, or the run was deleted. */
export async function retentionOf(client: pg.PoolClient, runId: string): Promise<number | null> {
  const { rows } = await client.query<{ settings: unknown }>(SETTINGS, [runId]);
  return rows[0] === undefined ? null : settingsSchema.parse(rows[0].settings).lessons.retentionPerAgent;
}

/** $1 the agent, $2 the kinds, $3 how many are kept. */
export const BEYOND_RETENTION = `
  SELECT id FROM lessons WHERE agent = $1 AND kind = ANY ($2) AND status = ANY ('{candidate,quarantined}')
    AND admission IN ('admitted', 'held') AND run_id IS NOT NULL
  ORDER BY created_at DESC, id OFFSET $3`;

const ARCHIVE = `
  WITH old AS (
    SELECT id FROM lessons WHERE id = ANY ($1::uuid[]) AND status IN ('candidate', 'quarantined') ORDER BY id FOR NO KEY UPDATE),
  put_away AS (UPDATE lessons l SET status = 'archived' FROM old WHERE l.id = old.id RETURNING l.id)
  INSERT INTO lesson_checks (lesson_id, number, edit, kind, outcome, result, created_at)
  SELECT id, (SELECT coalesce(max(number) + 1, 0) FROM lesson_checks c WHERE c.lesson_id = put_away.id),
    (SELECT count(*) FROM lesson_edits e WHERE e.lesson_id = put_away.id), 'retention', 'archived', json_build_object('keep', $2::int), $3
  FROM put_away`;

/**
 * Puts away the oldest reflections that runs wrote for an agent and that wait for a review, beyond the newest `keep`. What a person
 * promoted is never put away, nor counted. The caller must have the turn to admit, and hold no lesson.
 */
export async function archiveBeyondRetention(
  client: pg.PoolClient,
  { agent, keep, now }: { agent: string; keep: number; now: Date },
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(BEYOND_RETENTION, [agent, RETAINED_KINDS, keep]);
  if (rows.length > 0) await client.query(ARCHIVE, [rows.map(({ id }) => id), keep, now]);
}
