import { z } from 'zod';
import { PAID_BEFORE } from '#lib/core/paid-before.ts';
import type { Database } from '#lib/database/database.ts';

/** What was said beside the answers of a run's models, and what its calls may have cost beyond them. */
export type RunWarnings = {
  warnings: { text: string; calls: number }[];
  /** Null where no try without a response may have been billed. */
  maybeBilled: { calls: number; tries: number; tokens: number; costUsd: number } | null;
};

/** Different warnings that are told of a run. */
const MOST_WARNINGS = 20;

const warningRow = z.object({ text: z.string(), calls: z.int() });
const billedRow = z.object({ calls: z.int(), tries: z.int(), tokens: z.int(), costUsd: z.number() });

/** The warnings of a run's calls, the most frequent first and without that a reply was paid for before, and the sum of what may have been billed. */
export async function findRunWarnings({ pool }: Pick<Database, 'pool'>, runId: string): Promise<RunWarnings> {
  const [warnings, billed] = await Promise.all([
    pool.query<Record<string, unknown>>({
      name: 'run-warnings',
      text: `SELECT w AS text, count(*)::int AS calls FROM model_calls CROSS JOIN LATERAL unnest(warnings) AS w
        WHERE run_id = $1 AND cardinality(warnings) > 0 AND w <> $2 GROUP BY w ORDER BY calls DESC, w LIMIT ${MOST_WARNINGS}`,
      values: [runId, PAID_BEFORE],
    }),
    pool.query<Record<string, unknown>>({
      name: 'run-maybe-billed',
      text: `SELECT count(*)::int AS calls, coalesce(sum((maybe_billed->>'tries')::int), 0)::int AS tries,
          coalesce(sum((maybe_billed->>'input')::int + (maybe_billed->>'output')::int), 0)::int AS tokens,
          coalesce(sum((maybe_billed->>'costUsd')::float8), 0) AS "costUsd"
        FROM model_calls WHERE run_id = $1 AND maybe_billed IS NOT NULL`,
      values: [runId],
    }),
  ]);
  const sum = billedRow.parse(billed.rows[0]);
  return {
    warnings: warnings.rows.map((row) => warningRow.parse(row)),
    maybeBilled: sum.calls === 0 ? null : sum,
  };
}
