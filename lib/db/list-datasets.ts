import type { Database } from './database.ts';
import { type DatasetRow, datasetRowOf } from './find-dataset.ts';
import { type Page, pageOf, readTimeCursor, timeCursor } from './page.ts';

/** Datasets, newest first. */
export async function listDatasets(
  database: Database,
  options: { cursor: string | null; limit: number },
): Promise<Page<DatasetRow>> {
  const after = readTimeCursor(options.cursor);
  const rows = await database.prisma.dataset.findMany({
    where:
      after === null ? {} : { OR: [{ createdAt: { lt: after.at } }, { createdAt: after.at, id: { lt: after.id } }] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: options.limit + 1,
  });
  const items = rows.map(datasetRowOf);
  return pageOf(items, options.limit, timeCursor);
}
