import { z } from 'zod';
import { OBSERVATION_STATUSES, type ToolOutcome } from '#lib/core/agents/agent-records.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';

/** Which use of a tool it was: `fingerprint` is that of the tool and its arguments. */
export type ToolUse = { runId: string; claim: number; step: number; callId: string; fingerprint: string };

const row = z.object({
  call_id: z.string(),
  fingerprint: z.string(),
  status: z.enum(OBSERVATION_STATUSES),
  text: z.string(),
  duration_ms: z.int(),
});

/** What tools answered in a step that was begun but not saved, by `callId fingerprint`: they are not used again. */
export async function savedToolResults(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  step: number,
): Promise<Map<string, ToolOutcome>> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'saved-tool-results',
    text: 'SELECT call_id, fingerprint, status, text, duration_ms FROM tool_results WHERE run_id = $1 AND step = $2',
    values: [runId, step],
  });
  return new Map(
    rows.map((one) => {
      const { call_id, fingerprint, status, text, duration_ms } = row.parse(one);
      return [`${call_id} ${fingerprint}`, { status, text, durationMs: duration_ms }];
    }),
  );
}

/**
 * Keeps what a tool answered, at once and outside a step's save; the first answer counts. Nothing where the run was deleted, or where
 * another worker performs it: that one uses the tool itself.
 */
export async function saveToolResult(
  { pool }: Pick<Database, 'pool'>,
  { runId, claim, step, callId, fingerprint }: ToolUse,
  { status, text, durationMs }: ToolOutcome,
  now: Date,
): Promise<void> {
  await pool.query({
    name: 'keep-tool-result',
    text: `INSERT INTO tool_results (run_id, step, call_id, fingerprint, status, text, duration_ms, created_at)
      SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM (
        SELECT id FROM runs WHERE id = $1 AND (claim = $9 OR status <> 'running') FOR SHARE) r
      ON CONFLICT DO NOTHING`,
    values: [runId, step, callId, fingerprint, status, cleanText(text), Math.round(durationMs), now, claim],
  });
}
