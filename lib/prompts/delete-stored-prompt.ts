import type pg from 'pg';
import { z } from 'zod';

const countRow = z.object({
  versions: z.int(),
  labels: z.int(),
  moves: z.int(),
  drafts: z.int(),
  proofs: z.int(),
  paidReplies: z.int(),
});

/** How many of each kind hung on a prompt. `paidReplies`: what would have to be paid for again. */
export type DeletedPrompt = z.infer<typeof countRow> & { prompts: number };

const COUNT = `SELECT (SELECT count(*)::int FROM prompt_versions WHERE prompt_name = $1) AS versions,
  (SELECT count(*)::int FROM prompt_labels WHERE prompt_name = $1) AS labels,
  (SELECT count(*)::int FROM prompt_label_moves WHERE prompt_name = $1) AS moves,
  (SELECT count(*)::int FROM prompt_drafts WHERE prompt_name = $1) AS drafts,
  (SELECT count(*)::int FROM prompt_proofs WHERE prompt_name = $1) AS proofs,
  (SELECT count(*)::int FROM paid_replies WHERE prompt_name = $1) AS "paidReplies"`;

/** Deletes a prompt, whose row the caller has locked, with all that hangs on it. */
export async function deleteStoredPrompt(client: pg.PoolClient, name: string): Promise<DeletedPrompt> {
  const { rows } = await client.query<Record<string, unknown>>(COUNT, [name]);
  const counts = countRow.parse(rows[0]);
  const { rowCount } = await client.query('DELETE FROM prompts WHERE name = $1', [name]);
  return { prompts: rowCount ?? 0, ...counts };
}
