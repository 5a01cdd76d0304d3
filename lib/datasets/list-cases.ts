import { z } from 'zod';
import { SPLITS, type Split } from '#lib/core/history.ts';
import { cleanText } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/page.ts';
import { criteriaColumn } from './criteria-column.ts';

const caseRow = z.object({
  number: z.int(),
  since: z.int(),
  split: z.enum(SPLITS).nullable(),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

/** A case under its number, which stays its own; `since` is the version that made it what it is. */
export type CaseRow = z.infer<typeof caseRow>;

export type CaseFilter = {
  version: number | null;
  /** Stands in the input, the reference or a tag; '' for all. */
  search: string;
  split: Split | 'undivided' | null;
  tag: string | null;
};

export const ALL_CASES: CaseFilter = { version: null, search: '', split: null, tag: null };

const SPLIT = `CASE WHEN tags && ARRAY['held_out', 'held-out'] THEN 'held_out' WHEN 'validation' = ANY (tags) THEN 'validation'
  WHEN 'train' = ANY (tags) THEN 'train' END`;

const WHERE = `dataset_id = $1 AND CASE WHEN $2::int IS NULL THEN ended IS NULL ELSE since <= $2 AND (ended IS NULL OR ended > $2) END
  AND ($3 = '' OR input ILIKE $3 OR reference ILIKE $3 OR array_to_string(tags, ' ') ILIKE $3)
  AND ($4::text IS NULL OR coalesce(${SPLIT}, 'undivided') = $4) AND ($5::text IS NULL OR $5 = ANY (tags))`;

/** Cases of a dataset by number, after the number `cursor`, with how many there are in all under this filter. */
export async function listCases(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  filter: CaseFilter,
  { cursor, limit }: { cursor: number; limit: number },
): Promise<Page<CaseRow> & { total: number }> {
  const search = cleanText(filter.search.trim());
  const pattern = search === '' ? '' : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const values = [datasetId, filter.version, pattern, filter.split, filter.tag];
  const [cases, counted] = await Promise.all([
    pool.query<Record<string, unknown>>(
      `SELECT position + 1 AS number, since, ${SPLIT} AS split, input, reference, tags, metadata, criteria FROM dataset_cases
       WHERE ${WHERE} AND position >= $6 ORDER BY position LIMIT $7`,
      [...values, cursor, limit + 1],
    ),
    pool.query<{ total: number }>(`SELECT count(*)::int AS total FROM dataset_cases WHERE ${WHERE}`, values),
  ]);
  const rows = cases.rows.map((row) => caseRow.parse(row));
  return { ...pageOf(rows, limit, ({ number }) => String(number)), total: counted.rows[0]?.total ?? 0 };
}
