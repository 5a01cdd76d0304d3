import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { lockPrompt, noPrompt } from './save-prompt-version.ts';

const countRow = z.object({
  versions: z.int(),
  labels: z.int(),
  moves: z.int(),
  drafts: z.int(),
  proofs: z.int(),
  paidReplies: z.int(),
});

/** How many of each kind hung on a prompt. `paidReplies`: what would have to be paid for again. */
type DeletedPrompt = z.infer<typeof countRow> & { prompts: number };

const COUNT = `SELECT (SELECT count(*)::int FROM prompt_versions WHERE prompt_name = $1) AS versions,
  (SELECT count(*)::int FROM prompt_labels WHERE prompt_name = $1) AS labels,
  (SELECT count(*)::int FROM prompt_label_moves WHERE prompt_name = $1) AS moves,
  (SELECT count(*)::int FROM prompt_drafts WHERE prompt_name = $1) AS drafts,
  (SELECT count(*)::int FROM prompt_proofs WHERE prompt_name = $1) AS proofs,
  (SELECT count(*)::int FROM paid_replies WHERE prompt_name = $1) AS "paidReplies"`;

/** Deletes a prompt, whose row the caller has locked, with all that hangs on it. */
async function deleteStoredPrompt(client: pg.PoolClient, name: string): Promise<DeletedPrompt> {
  const { rows } = await client.query<Record<string, unknown>>(COUNT, [name]);
  const counts = countRow.parse(rows[0]);
  const { rowCount } = await client.query('DELETE FROM prompts WHERE name = $1', [name]);
  return { prompts: rowCount ?? 0, ...counts };
}

/** Deletes a prompt with all that hangs on it, and says how much. Experiments and runs that tuned it keep its text. */
export async function deletePrompt(
  { database }: AppContext,
  actor: Actor,
  name: string,
): Promise<Result<{ deleted: DeletedPrompt }>> {
  return inPoolTransaction(database, async (client): Promise<Result<{ deleted: DeletedPrompt }>> => {
    if ((await lockPrompt(client, name)) === null) return noPrompt(name);
    const deleted = await deleteStoredPrompt(client, name);
    await recordChange(client, actor, { act: 'deleted', subject: { kind: 'prompt', name } });
    return succeed({ deleted });
  });
}
