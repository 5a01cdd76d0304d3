import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { type CaseCriteria, caseCriteriaSchema } from '#lib/core/case-criteria.ts';
import { SPLITS, type Split } from '#lib/core/history.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText, type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/query-values.ts';

/** A case's own criteria out of their column; left out where there are none. */
export const criteriaColumn = caseCriteriaSchema
  .nullish()
  .transform((criteria) => criteria ?? undefined)
  .optional();

export type DatasetRow = {
  id: string;
  name: string;
  caseCount: number;
  latestVersion: number;
  /** Of the cases of the latest version; what is in none of the three is not divided. */
  train: number;
  validation: number;
  heldOut: number;
  withReference: number;
  createdAt: string;
  updatedAt: string;
};
const metadataColumn = z.record(z.string(), z.unknown());

/**
 * A dataset with the cases of its latest version, or of `version`, as they were then: from number `from` (0 = the first) on, at most
 * `limit`. Null when there is no such dataset; a version it never had holds no cases.
 */
export async function findDataset(
  database: Database,
  id: string,
  limit = 200,
  from = 0,
  version: number | null = null,
): Promise<(DatasetRow & { cases: Case[] }) | null> {
  const row = await database.prisma.dataset.findUnique({
    where: { id },
    include: {
      cases: {
        where:
          version === null
            ? { ended: null }
            : { since: { lte: version }, OR: [{ ended: null }, { ended: { gt: version } }] },
        orderBy: { position: 'asc' },
        skip: from,
        take: limit,
      },
    },
  });
  if (row === null) return null;
  const cases = row.cases.map(({ input, reference, tags, metadata, criteria }) => ({
    input,
    reference,
    tags,
    metadata: metadataColumn.parse(metadata),
    criteria: criteriaColumn.parse(criteria),
  }));
  return { ...datasetRowOf(row), cases };
}

/** A dataset as lists show it, out of its columns. */
function datasetRowOf({
  id,
  name,
  caseCount,
  latestVersion,
  train,
  validation,
  heldOut,
  withReference,
  createdAt,
  updatedAt,
}: Omit<DatasetRow, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }): DatasetRow {
  return {
    id,
    name,
    caseCount,
    latestVersion,
    train,
    validation,
    heldOut,
    withReference,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

const matches = z.array(z.object({ id: z.string() }));

/** Datasets, newest first; with `search` those that have it in their name, or in the input, reference or a tag of a case. */
export async function listDatasets(
  database: Database,
  options: { cursor: string | null; limit: number; search?: string },
): Promise<Page<DatasetRow>> {
  const after = readTimeCursor(options.cursor);
  const search = cleanText(options.search?.trim() ?? '');
  const found = search === '' ? null : await idsWith(database, search);
  const rows = await database.prisma.dataset.findMany({
    where: {
      ...(found === null ? {} : { id: { in: found } }),
      ...(after === null
        ? {}
        : { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: options.limit + 1,
  });
  return pageOf(rows.map(datasetRowOf), options.limit, timeCursor);
}

async function idsWith({ pool }: Database, search: string): Promise<string[]> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await pool.query(
    `SELECT id FROM datasets d WHERE name ILIKE $1 OR EXISTS (
       SELECT 1 FROM dataset_cases c WHERE c.dataset_id = d.id AND c.ended IS NULL
         AND (c.input ILIKE $1 OR c.reference ILIKE $1 OR array_to_string(c.tags, ' ') ILIKE $1))`,
    [pattern],
  );
  return matches.parse(rows).map(({ id }) => id);
}

/** A dataset with how many of its cases say by a tag what they are for in a tuning run. */
type TunableDatasetRow = {
  id: string;
  name: string;
  caseCount: number;
  tagged: { train: number; validation: number; held_out: number };
};

const row = z.object({
  id: z.string(),
  name: z.string(),
  caseCount: z.int(),
  train: z.int(),
  validation: z.int(),
  heldOut: z.int(),
});

const LIST = `
  SELECT id, name, case_count AS "caseCount", held_out AS "heldOut", validation, train
  FROM datasets
  WHERE id = $1 OR id IN (SELECT id FROM datasets ORDER BY created_at DESC, id DESC LIMIT $2)
  ORDER BY created_at DESC, id DESC`;

/** The newest datasets, at most `limit`, and the one with the id `asked` where there is such a one. */
export async function listTunableDatasets(
  { pool }: Pick<Database, 'pool'>,
  { asked, limit }: { asked: string | null; limit: number },
): Promise<TunableDatasetRow[]> {
  const { rows } = await pool.query<Record<string, unknown>>(LIST, [asked, limit]);
  return rows.map((found) => {
    const { train, validation, heldOut, ...dataset } = row.parse(found);
    return { ...dataset, tagged: { train, validation, held_out: heldOut } };
  });
}

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
type CaseRow = z.infer<typeof caseRow>;

type CaseFilter = {
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

/** An experiment that ran over a dataset, or a prompt that is tried on it. */
type DatasetUse = { kind: 'experiment'; id: string; name: string; version: number } | { kind: 'prompt'; name: string };

const experimentRow = z.object({ datasetId: z.string(), id: z.string(), name: z.string(), version: z.int() });
const promptRow = z.object({ datasetId: z.string(), name: z.string() });

/** Who uses which of these datasets: experiments by their latest batch over it, newest first, then prompts. */
export async function datasetUses(
  { pool }: Pick<Database, 'pool'>,
  datasetIds: readonly string[],
): Promise<Map<string, DatasetUse[]>> {
  const [experiments, prompts] = await Promise.all([
    pool.query<Record<string, unknown>>(
      `SELECT b.dataset_id AS "datasetId", e.id, e.name, max(b.experiment_version)::int AS version
       FROM batches b JOIN experiments e ON e.id = b.experiment_id
       WHERE b.dataset_id = ANY ($1::uuid[]) GROUP BY b.dataset_id, e.id, e.name ORDER BY max(b.created_at) DESC`,
      [datasetIds],
    ),
    pool.query<Record<string, unknown>>(
      `SELECT setup->>'datasetId' AS "datasetId", name FROM prompts WHERE setup->>'datasetId' = ANY ($1::text[]) ORDER BY name`,
      [datasetIds],
    ),
  ]);
  const uses = new Map<string, DatasetUse[]>();
  const add = (id: string, use: DatasetUse) => uses.set(id, [...(uses.get(id) ?? []), use]);
  for (const row of experiments.rows) {
    const { datasetId, ...of } = experimentRow.parse(row);
    add(datasetId, { kind: 'experiment', ...of });
  }
  for (const row of prompts.rows) {
    const { datasetId, name } = promptRow.parse(row);
    add(datasetId, { kind: 'prompt', name });
  }
  return uses;
}

const totalsRow = z.object({ datasets: z.int(), cases: z.int(), heldOut: z.int() });

/** How many datasets there are, with how many cases in all. */
export async function countDatasets({ pool }: Pick<Database, 'pool'>): Promise<z.infer<typeof totalsRow>> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT count(*)::int AS datasets, coalesce(sum(case_count), 0)::int AS cases, coalesce(sum(held_out), 0)::int AS "heldOut" FROM datasets',
  );
  return totalsRow.parse(rows[0]);
}

/** How many cases there are, and how many characters their inputs have on average. */
type CaseLengths = { count: number; meanLength: number };

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
