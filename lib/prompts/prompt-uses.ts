import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { PromptUse } from './prompt-library.ts';

/** Experiments `e` whose newest settings `v` name a prompt; `TUNED` is its name. */
const NEWEST = `experiments e JOIN experiment_versions v ON v.experiment_id = e.id AND v.version = e.latest_version`;
const TUNED = `v.settings->'tune'->'prompt'->>'name'`;

const useRow = z.object({
  experimentId: z.string(),
  name: z.string(),
  version: z.int(),
  updatedAt: z.date().transform((value) => value.toISOString()),
});

/** The experiments that tune a prompt by their newest settings, last changed first, at most `limit`. */
export async function listPromptUses(
  { pool }: Pick<Database, 'pool'>,
  promptName: string,
  limit = 50,
): Promise<PromptUse[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT e.id AS "experimentId", e.name, (v.settings->'tune'->'prompt'->>'version')::int AS version, e.updated_at AS "updatedAt"
     FROM ${NEWEST} WHERE ${TUNED} = $1 ORDER BY e.updated_at DESC, e.id LIMIT $2`,
    [promptName, limit],
  );
  return rows.map((row) => useRow.parse(row));
}

const countRow = z.object({ name: z.string(), count: z.int() });

/** How many experiments tune each of these prompts by their newest settings; those without any are left out. */
export async function countPromptUses(
  { pool }: Pick<Database, 'pool'>,
  promptNames: string[],
): Promise<Map<string, number>> {
  if (promptNames.length === 0) return new Map();
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT ${TUNED} AS name, count(*)::int AS count FROM ${NEWEST} WHERE ${TUNED} = ANY ($1) GROUP BY 1`,
    [promptNames],
  );
  return new Map(rows.map((row) => countRow.parse(row)).map(({ name, count }) => [name, count]));
}
