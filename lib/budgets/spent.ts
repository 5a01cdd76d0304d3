import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** What models were paid for. Calls without a known price cost nothing here. */
export type Spent = { costUsd: number; tokens: number };

const spentRow = z.object({ costUsd: z.number(), tokens: z.number() });

/** By all runs of an experiment, those that failed or were deleted and what was done beside their loops included. */
export async function spentByExperiment({ pool }: Pick<Database, 'pool'>, experimentId: string): Promise<Spent> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'spent-by-experiment',
    text: `SELECT (r.cost + o.cost)::float8 AS "costUsd", (r.tokens + o.tokens)::float8 AS tokens FROM
      (SELECT coalesce(sum(cost_usd + aside_cost_usd), 0) AS cost, coalesce(sum(input_tokens::bigint + output_tokens + aside_tokens), 0) AS tokens
        FROM runs WHERE experiment_id = $1) r,
      (SELECT coalesce(sum(cost_usd), 0) AS cost, coalesce(sum(input_tokens::bigint + output_tokens), 0) AS tokens
        FROM other_spend WHERE experiment_id = $1) o`,
    values: [experimentId],
  });
  return spentRow.parse(rows[0]);
}

const costRow = z.object({ costUsd: z.number() });

/** By everything since a moment, in US dollars. */
export async function spentSince({ pool }: Pick<Database, 'pool'>, since: Date): Promise<number> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'spent-since',
    text: `SELECT ((SELECT coalesce(sum(cost_usd), 0) FROM model_calls WHERE created_at >= $1)
      + (SELECT coalesce(sum(cost_usd), 0) FROM other_spend WHERE created_at >= $1))::float8 AS "costUsd"`,
    values: [since],
  });
  return costRow.parse(rows[0]).costUsd;
}
