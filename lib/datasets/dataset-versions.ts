import type pg from 'pg';
import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from './queries.ts';

type DatasetChange = {
  datasetId: string;
  version: number;
  added: number;
  changed: number;
  removed: number;
  /** Who made it; null where no person did. */
  actor: string | null;
  message: string | null;
  now: Date;
};

/** As `splitCases` reads tags: of several the most guarded counts. */
const COUNTS = `
  SELECT count(*)::int AS cases, count(reference)::int AS "withReference",
    count(*) FILTER (WHERE tags && ARRAY['held_out', 'held-out'])::int AS "heldOut",
    count(*) FILTER (WHERE 'validation' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out'])::int AS validation,
    count(*) FILTER (WHERE 'train' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out', 'validation'])::int AS train
  FROM dataset_cases WHERE dataset_id = $1 AND ended IS NULL`;

const countsRow = z.object({
  cases: z.int(),
  withReference: z.int(),
  heldOut: z.int(),
  validation: z.int(),
  train: z.int(),
});

/** Writes down a version whose cases are stored, and makes it the dataset's latest. Answers how many cases it has. */
export async function closeDatasetVersion(client: pg.PoolClient, change: DatasetChange): Promise<number> {
  const { datasetId, version, added, changed, removed, actor, message, now } = change;
  const { rows } = await client.query<Record<string, unknown>>(COUNTS, [datasetId]);
  const counts = countsRow.parse(rows[0]);
  await client.query(
    `INSERT INTO dataset_versions (dataset_id, version, case_count, added, changed, removed, actor, message, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [datasetId, version, counts.cases, added, changed, removed, actor, message, now],
  );
  await client.query(
    `UPDATE datasets SET latest_version = $2, case_count = $3, with_reference = $4, held_out = $5, validation = $6, train = $7, updated_at = $8
     WHERE id = $1`,
    [datasetId, version, counts.cases, counts.withReference, counts.heldOut, counts.validation, counts.train, now],
  );
  return counts.cases;
}

/** What one change made of a dataset, and who made it. */
type DatasetVersionRow = {
  version: number;
  caseCount: number;
  added: number;
  changed: number;
  removed: number;
  actor: string | null;
  message: string | null;
  createdAt: string;
};

/** The versions of a dataset, newest first, at most `limit`, from version `cursor` (null: the latest) down. */
export async function listDatasetVersions(
  { prisma }: Pick<Database, 'prisma'>,
  datasetId: string,
  { cursor, limit }: { cursor: number | null; limit: number },
): Promise<{ items: DatasetVersionRow[]; nextCursor: string | null }> {
  const rows = await prisma.datasetVersion.findMany({
    where: { datasetId, ...(cursor === null ? {} : { version: { lt: cursor } }) },
    orderBy: { version: 'desc' },
    take: limit + 1,
  });
  const items = rows
    .slice(0, limit)
    .map(({ datasetId: _datasetId, createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)?.version ?? '') : null };
}

const state = z
  .object({
    input: z.string(),
    reference: z.string().nullable(),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.unknown()),
    criteria: criteriaColumn,
  })
  .nullable();
const changeRow = z.object({ number: z.int(), before: state, after: state });

/** A case that a version changed: `before` null where it was added, `after` null where it was removed. */
type CaseChange = z.infer<typeof changeRow>;

const STATE = (of: string) =>
  `CASE WHEN ${of}.dataset_id IS NOT NULL THEN json_build_object('input', ${of}.input, 'reference', ${of}.reference, 'tags', ${of}.tags, 'metadata', ${of}.metadata, 'criteria', ${of}.criteria) END`;

/** What a version of a dataset changed, by the number of the case, after the number `cursor`. */
export async function listCaseChanges(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  version: number,
  { cursor, limit }: { cursor: number; limit: number },
): Promise<{ items: CaseChange[]; nextCursor: string | null }> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT coalesce(a.position, b.position) + 1 AS number, ${STATE('b')} AS before, ${STATE('a')} AS after
     FROM (SELECT * FROM dataset_cases WHERE dataset_id = $1 AND ended = $2) b
     FULL JOIN (SELECT * FROM dataset_cases WHERE dataset_id = $1 AND since = $2) a ON a.position = b.position
     WHERE coalesce(a.position, b.position) >= $3 ORDER BY 1 LIMIT $4`,
    [datasetId, version, cursor, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => changeRow.parse(row));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)?.number ?? '') : null };
}

const row = z.object({ latestVersion: z.int(), nextPosition: z.int(), caseCount: z.int() });

/** Holds a dataset until the transaction ends, so that its versions follow one another; null when there is none. */
export async function lockDataset(client: pg.PoolClient, datasetId: string): Promise<z.infer<typeof row> | null> {
  const { rowCount } = await client.query('SELECT 1 FROM datasets WHERE id = $1 FOR UPDATE', [datasetId]);
  if (rowCount === 0) return null;
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT latest_version AS "latestVersion", case_count AS "caseCount",
       (SELECT coalesce(max(position) + 1, 0) FROM dataset_cases WHERE dataset_id = $1)::int AS "nextPosition"
     FROM datasets WHERE id = $1`,
    [datasetId],
  );
  return row.parse(rows[0]);
}
