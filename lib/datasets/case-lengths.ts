import { z } from 'zod';
import { type CaseCriteria, caseCriteriaSchema } from '#lib/core/case-criteria.ts';
import type { Database } from '#lib/database/database.ts';

/** How many cases there are, and how many characters their inputs have on average. */
export type CaseLengths = { count: number; meanLength: number };

const lengthsRow = z.object({ count: z.int(), meanLength: z.number() });

/** Of the latest version of a dataset, without reading its texts. */
export async function datasetLengths({ pool }: Pick<Database, 'pool'>, datasetId: string): Promise<CaseLengths> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT count(*)::int AS count, coalesce(avg(length(input)), 0)::float8 AS "meanLength"
     FROM dataset_cases WHERE dataset_id = $1 AND ended IS NULL`,
    [datasetId],
  );
  return lengthsRow.parse(rows[0]);
}

/** Of the newest 1,000 runs of an experiment, each a case. */
export async function runLengths({ pool }: Pick<Database, 'pool'>, experimentId: string): Promise<CaseLengths> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT count(*)::int AS count, coalesce(avg(length(input)), 0)::float8 AS "meanLength"
     FROM (SELECT input FROM runs WHERE experiment_id = $1 ORDER BY number DESC LIMIT 1000) r`,
    [experimentId],
  );
  return lengthsRow.parse(rows[0]);
}

/** The tags of each case of a dataset's latest version, in their order, at most `limit`. */
export async function datasetTags(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  limit: number,
): Promise<string[][]> {
  const { rows } = await pool.query<{ tags: string[] }>(
    'SELECT tags FROM dataset_cases WHERE dataset_id = $1 AND ended IS NULL ORDER BY position LIMIT $2',
    [datasetId, limit],
  );
  return rows.map(({ tags }) => tags);
}

/** The criteria that cases of a dataset's latest version bring of their own, each once, at most `limit`. */
export async function datasetCriteria(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  limit: number,
): Promise<CaseCriteria[]> {
  const { rows } = await pool.query<{ criteria: unknown }>(
    'SELECT DISTINCT criteria FROM dataset_cases WHERE dataset_id = $1 AND ended IS NULL AND criteria IS NOT NULL LIMIT $2',
    [datasetId, limit],
  );
  return rows.map(({ criteria }) => caseCriteriaSchema.parse(criteria));
}
