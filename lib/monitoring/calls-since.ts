import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

const callRow = z.object({
  id: z.int(),
  provider: z.string(),
  model: z.string(),
  failed: z.string().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  latencyMs: z.int(),
});
/** A call as it counts in metrics; `failed` is the kind of its failure. */
export type CountedCall = z.infer<typeof callRow>;

/** Rows get their numbers before they can be seen: younger ones may still be behind one that is seen, so they wait. */
const SETTLED = `created_at < now() - interval '5 seconds'`;

/** The number of the newest call that is settled; 0 before the first. */
export async function newestCallId(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `SELECT id FROM model_calls WHERE ${SETTLED} ORDER BY id DESC LIMIT 1`,
  );
  return rows[0]?.id ?? 0;
}

/** The calls after a number that are settled, in order, at most `limit`, without their texts. */
export async function callsSince(database: Database, afterId: number, limit: number): Promise<CountedCall[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'calls-since',
    text: `SELECT id, provider, model, failure->>'kind' AS failed, input_tokens AS "inputTokens", output_tokens AS "outputTokens",
        cost_usd AS "costUsd", latency_ms AS "latencyMs"
      FROM model_calls WHERE id > $1 AND ${SETTLED} ORDER BY id LIMIT $2`,
    values: [afterId, limit],
  });
  return z.array(callRow).parse(rows);
}
