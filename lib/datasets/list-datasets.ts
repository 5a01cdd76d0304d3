import { z } from 'zod';
import { cleanText } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/page.ts';
import { type DatasetRow, datasetRowOf } from './find-dataset.ts';

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
