import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import type { KeptDraft, PromptDraft } from './prompt-draft.ts';

type Place = { name: string; actorId: string };

const draftRow = z.object({
  text: z.string(),
  baseVersion: z.int().nullable(),
  updatedAt: z.date().transform((value) => value.toISOString()),
});

const FIND = `SELECT text, base_version AS "baseVersion", updated_at AS "updatedAt" FROM prompt_drafts WHERE prompt_name = $1 AND actor_id = $2`;

/** A person's draft of a prompt; null when there is none. */
export async function findPromptDraft(
  { pool }: Pick<Database, 'pool'>,
  { name, actorId }: Place,
): Promise<PromptDraft | null> {
  const { rows } = await pool.query<Record<string, unknown>>(FIND, [name, actorId]);
  return rows[0] === undefined ? null : draftRow.parse(rows[0]);
}

// The clock may stand still between two changes, but what was kept is named by its moment: that always goes on.
const KEEP = `
  INSERT INTO prompt_drafts AS d (prompt_name, actor_id, text, base_version, updated_at)
  SELECT name, $2, $3, $4, $5 FROM prompts WHERE name = $1 AND ($6::timestamptz IS NULL OR EXISTS (
    SELECT 1 FROM prompt_drafts o WHERE o.prompt_name = $1 AND o.actor_id = $2))
  ON CONFLICT (prompt_name, actor_id) DO UPDATE SET text = $3, base_version = $4,
    updated_at = greatest($5::timestamptz, d.updated_at + interval '1 millisecond')
    WHERE d.updated_at = $6 OR d.text = $3
  RETURNING updated_at AS "updatedAt"`;

/**
 * Keeps a draft in the place of the one that was last kept at `since` (null: of none). Where another window has changed it since, nothing is
 * written and what is there is answered. Null where there is no such prompt.
 */
export async function savePromptDraft(
  database: Pick<Database, 'pool'>,
  place: Place,
  draft: { text: string; baseVersion: number | null; since: string | null; now: Date },
): Promise<KeptDraft | null> {
  const { text, baseVersion, since, now } = draft;
  const values = [place.name, place.actorId, cleanText(text), baseVersion, now, since];
  const { rows } = await database.pool.query<{ updatedAt: Date }>(KEEP, values);
  if (rows[0] !== undefined) return { status: 'kept', updatedAt: rows[0].updatedAt.toISOString() };
  const there = await database.pool.query('SELECT 1 FROM prompts WHERE name = $1', [place.name]);
  return there.rowCount === 0 ? null : { status: 'changed', draft: await findPromptDraft(database, place) };
}

/** Removes a person's draft, if it is still the one that was kept at `since`; whether it was there. */
export async function deletePromptDraft(
  { pool }: Pick<Database, 'pool'>,
  { name, actorId }: Place,
  since: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'DELETE FROM prompt_drafts WHERE prompt_name = $1 AND actor_id = $2 AND updated_at = $3',
    [name, actorId, since],
  );
  return rowCount === 1;
}
