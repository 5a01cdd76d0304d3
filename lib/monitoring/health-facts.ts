import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** A provider that has answered none of its last calls, at least three within ten minutes. */
export type FailingProvider = { provider: string; failures: number; kind: string };

const failingRow = z.object({ provider: z.string(), failures: z.int(), kind: z.string().nullable() });

/** Calls that were never made (a budget, a stop) say nothing of a provider. */
const FAILING = `
  SELECT provider, count(*)::int AS failures, mode() WITHIN GROUP (ORDER BY failure->>'kind') AS kind
  FROM (
    SELECT provider, failure, created_at, max(created_at) FILTER (WHERE failure IS NULL) OVER (PARTITION BY provider) AS answered_at
    FROM model_calls WHERE created_at > now() - interval '10 minutes' AND attempts > 0) calls
  WHERE failure IS NOT NULL AND (answered_at IS NULL OR created_at > answered_at)
  GROUP BY provider HAVING count(*) >= 3 ORDER BY provider LIMIT 20`;

export async function failingProviders({ pool }: Pick<Database, 'pool'>): Promise<FailingProvider[]> {
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'failing-providers', text: FAILING });
  return z
    .array(failingRow)
    .parse(rows)
    .map(({ kind, ...rest }) => ({ ...rest, kind: kind ?? 'unknown' }));
}

/** How far the database's clock is ahead of this process's (behind: negative), in milliseconds; half of the way there and back is in it. */
export async function clockSkewMs({ pool }: Pick<Database, 'pool'>, now: () => Date): Promise<number> {
  const before = now().getTime();
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const after = now().getTime();
  return (rows[0]?.now.getTime() ?? before) - (before + after) / 2;
}
