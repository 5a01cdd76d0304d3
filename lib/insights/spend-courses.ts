import { z } from 'zod';
import type { ArmOf } from '#lib/compare/arm-cases.ts';
import type { Database } from '#lib/database/database.ts';
import { ENDED_RUN, OWN_RUN, SCORED_RUN } from '#lib/runs/run-conditions.ts';
import { MOST_EQUAL_COST_CASES, type SpendCourse } from '#lib/statistics/equal-cost.ts';

// What a version needed is what it and its judgement cost, and all critiques and lessons before it.
const COURSES = `
  WITH one AS (
    SELECT DISTINCT ON (r.case_key) r.id, r.case_key, r.satisfied, r.unpriced, ${SCORED_RUN} AS is_scored
    FROM runs r WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    ORDER BY r.case_key, ${SCORED_RUN} DESC, r.repetition, r.number LIMIT ${MOST_EQUAL_COST_CASES}),
  parts AS (
    SELECT run_id, number AS version, cost_usd, input_tokens + output_tokens AS tokens FROM reflection_versions WHERE run_id = ANY (ARRAY(SELECT id FROM one))
    UNION ALL SELECT run_id, version, cost_usd, input_tokens + output_tokens FROM evaluations WHERE run_id = ANY (ARRAY(SELECT id FROM one))
    UNION ALL SELECT run_id, version + 1, cost_usd, input_tokens + output_tokens FROM critiques WHERE run_id = ANY (ARRAY(SELECT id FROM one))
    UNION ALL SELECT run_id, version + 1, cost_usd, input_tokens + output_tokens FROM lessons WHERE run_id = ANY (ARRAY(SELECT id FROM one))),
  spent AS (
    SELECT run_id, version, sum(sum(coalesce(cost_usd, 0))) OVER w AS usd, sum(sum(tokens)) OVER w AS tokens
    FROM parts GROUP BY run_id, version WINDOW w AS (PARTITION BY run_id ORDER BY version))
  SELECT o.case_key AS "caseKey", o.satisfied, o.unpriced, o.is_scored AS "isScored", coalesce(json_agg(s.usd ORDER BY s.version) FILTER (WHERE s.version IS NOT NULL), '[]') AS usd,
    coalesce(json_agg(s.tokens ORDER BY s.version) FILTER (WHERE s.version IS NOT NULL), '[]') AS tokens
  FROM one o LEFT JOIN spent s ON s.run_id = o.id AND s.version < length(o.satisfied)
  GROUP BY o.case_key, o.satisfied, o.unpriced, o.is_scored`;

const rowsSchema = z.array(
  z.object({
    caseKey: z.string(),
    satisfied: z.string(),
    unpriced: z.boolean(),
    isScored: z.boolean(),
    usd: z.array(z.number()),
    tokens: z.array(z.number()),
  }),
);
/** How the first run of each case that is scored, else the first, went, by what it spent in dollars and in tokens. */
export type SpendCourses = { usd: SpendCourse[]; tokens: SpendCourse[]; isPriced: boolean };

/** Reads how an arm's cases went by what was spent on them; `isPriced`: all was, and something cost anything. */
export async function spendCourses(
  { pool }: Pick<Database, 'pool'>,
  { experimentId, version }: ArmOf,
): Promise<SpendCourses> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'spend-courses',
    text: COURSES,
    values: [experimentId, version],
  });
  const runs = rowsSchema.parse(rows);
  const courses = (unit: 'usd' | 'tokens') =>
    runs.map((run) => ({
      caseKey: run.caseKey,
      isScored: run.isScored,
      spent: run[unit],
      satisfactory: Array.from(run.satisfied, (mark) => mark === '1'),
    }));
  const scored = runs.filter(({ isScored }) => isScored);
  return {
    usd: courses('usd'),
    tokens: courses('tokens'),
    isPriced: scored.length > 0 && scored.every(({ unpriced, usd }) => !unpriced && (usd.at(-1) ?? 0) > 0),
  };
}
