import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** A version of the library's prompt that was taken from a version of a run, with the labels it has now. */
export type RunPrompt = { runVersion: number; name: string; version: number; labels: string[] };

const row = z.object({ runVersion: z.int(), name: z.string(), version: z.int(), labels: z.array(z.string()) });

const LIST = `
  SELECT v.run_version AS "runVersion", v.prompt_name AS name, v.number AS version,
    ARRAY(SELECT l.label FROM prompt_labels l WHERE l.prompt_name = v.prompt_name AND l.version = v.number ORDER BY l.label) AS labels
  FROM prompt_versions v WHERE v.run_id = $1 AND v.run_version IS NOT NULL ORDER BY v.created_at, v.number`;

/** What of a run was saved to the library of prompts, the earliest first. */
export async function listRunPrompts({ pool }: Pick<Database, 'pool'>, runId: string): Promise<RunPrompt[]> {
  const { rows } = await pool.query<Record<string, unknown>>(LIST, [runId]);
  return rows.map((found) => row.parse(found));
}
