import { z } from 'zod';
import { DECIDERS, DECISION_KINDS } from '#lib/core/history.ts';
import type { Database } from '#lib/database/database.ts';

const decisionRow = z.object({
  decision: z.enum(DECISION_KINDS),
  version: z.int().nullable(),
  by: z.enum(DECIDERS),
  actor: z.string().nullable(),
  at: z.date().transform((date) => date.toISOString()),
});
export type PauseDecision = z.infer<typeof decisionRow>;

/** What ended a pause; null while it is open, and where its run was ended without it. */
export async function findPauseDecision(
  { pool }: Pick<Database, 'pool'>,
  pauseId: string,
): Promise<PauseDecision | null> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT decision, version, by, actor, at FROM decisions WHERE pause_id = $1 ORDER BY ordinal DESC LIMIT 1',
    [pauseId],
  );
  return rows[0] === undefined ? null : decisionRow.parse(rows[0]);
}
