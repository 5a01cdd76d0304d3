import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { type CallSummary, callSummarySchema } from './call-record.ts';

/** A call without the version it was about, which the run's history tells. */
export type StoredSummary = Omit<CallSummary, 'version'>;

/** The most calls of a run that are looked at. */
export const MOST_CALLS = 20_000;

const row = z.object({
  id: z.int(),
  step: z.int(),
  ordinal: z.int(),
  role: z.string(),
  provider: z.string(),
  model: z.string(),
  finishReason: z.string().nullable(),
  failureKind: z.string().nullable(),
  tools: z.array(z.string()),
  input: z.int(),
  output: z.int(),
  cachedTokens: z.int().nullable(),
  reasoningTokens: z.int().nullable(),
  costUsd: z.number().nullable(),
  maybeBilled: callSummarySchema.shape.maybeBilled,
  latencyMs: z.int(),
  attempts: z.int(),
  warnings: z.int(),
  createdAt: z.date().transform((value) => value.toISOString()),
});

/** The calls of a run in the order they were kept, without what was said; at most `MOST_CALLS`. */
export async function listCalls({ pool }: Pick<Database, 'pool'>, runId: string): Promise<StoredSummary[]> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list-calls',
    text: `SELECT id, step, ordinal, role, provider, model, finish_reason AS "finishReason", failure->>'kind' AS "failureKind",
        ARRAY(SELECT left(t->>'tool', 100) FROM json_array_elements(coalesce(tool_calls::json, '[]'::json)) AS t) AS tools,
        input_tokens AS input, output_tokens AS output, cached_tokens AS "cachedTokens", reasoning_tokens AS "reasoningTokens",
        cost_usd AS "costUsd", maybe_billed AS "maybeBilled", latency_ms AS "latencyMs", attempts, cardinality(warnings) AS warnings, created_at AS "createdAt"
      FROM model_calls WHERE run_id = $1 ORDER BY id LIMIT ${MOST_CALLS}`,
    values: [runId],
  });
  return rows.map((raw) => {
    const { input, output, ...call } = row.parse(raw);
    return { ...call, tokenUsage: { input, output, total: input + output } };
  });
}
