import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { AnswerPair } from './compare-answers.ts';

/** The last try of each held-out case by each version of the run. */
const LAST = `SELECT DISTINCT ON (v.output, t.position) v.output, t.position, t.score, t.satisfactory
  FROM case_tries t
  JOIN run_cases c ON c.run_id = t.run_id AND c.position = t.position AND c.split = 'held_out'
  JOIN reflection_versions v ON v.run_id = t.run_id AND v.number = t.version AND v.output IN ($2, $3)
  WHERE t.run_id = $1 AND t.score IS NOT NULL
  ORDER BY v.output, t.position, t.version, t.attempt DESC`;
const PAIRS = `WITH last AS (${LAST})
  SELECT b.position, b.score AS before, b.satisfactory AS "wasRight", a.score AS after, a.satisfactory AS "isRight"
  FROM last b JOIN last a ON a.position = b.position AND b.output = $2 AND a.output = $3 ORDER BY b.position`;

const pairRow = z
  .object({ position: z.int(), before: z.number(), wasRight: z.boolean(), after: z.number(), isRight: z.boolean() })
  .transform(
    ({ position, before, wasRight, after, isRight }): AnswerPair => ({
      case: String(position),
      before: { score: before, satisfactory: wasRight },
      after: { score: after, satisfactory: isRight },
    }),
  );

/** How two texts of a prompt did on the held-out cases of a tuning run that tried both; empty where it did not. */
export async function heldOutPairs(
  { pool }: Pick<Database, 'pool'>,
  { runId, before, after }: { runId: string; before: string; after: string },
): Promise<AnswerPair[]> {
  const { rows } = await pool.query<Record<string, unknown>>(PAIRS, [runId, before, after]);
  return rows.map((row) => pairRow.parse(row));
}
