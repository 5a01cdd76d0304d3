import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { criteriaColumn } from './criteria-column.ts';

/** What one change made of a dataset, and who made it. */
export type DatasetVersionRow = {
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
export type CaseChange = z.infer<typeof changeRow>;

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
