import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { csvRow } from '#lib/formats/csv-cell.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { ALL_CASES, findDataset, listCases } from './queries.ts';

/** Read at a time. */
const PART = 500;

/** All cases of a dataset at a version (null: the latest), by number, a part at a time. */
async function* walkCases(
  database: Pick<Database, 'pool'>,
  datasetId: string,
  version: number | null,
): AsyncGenerator<Case & { number: number }> {
  let cursor = 0;
  for (;;) {
    const page = await listCases(database, datasetId, { ...ALL_CASES, version }, { cursor, limit: PART });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = Number(page.nextCursor);
  }
}

/** The keys that the metadata of a dataset's cases have, in the order of the alphabet. */
async function metadataKeys(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  version: number | null,
): Promise<string[]> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT DISTINCT jsonb_object_keys(metadata) AS key FROM dataset_cases
     WHERE dataset_id = $1 AND CASE WHEN $2::int IS NULL THEN ended IS NULL ELSE since <= $2 AND (ended IS NULL OR ended > $2) END
     ORDER BY key`,
    [datasetId, version],
  );
  return rows.map((row) => z.object({ key: z.string() }).parse(row).key);
}

/** Whether any case of a dataset has criteria of its own. */
async function haveCriteria(
  { pool }: Pick<Database, 'pool'>,
  datasetId: string,
  version: number | null,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM dataset_cases WHERE dataset_id = $1 AND criteria IS NOT NULL
       AND CASE WHEN $2::int IS NULL THEN ended IS NULL ELSE since <= $2 AND (ended IS NULL OR ended > $2) END LIMIT 1`,
    [datasetId, version],
  );
  return rowCount !== 0;
}

type Asked = { format: 'jsonl' | 'csv'; version: number | null };

/**
 * The cases of a dataset, of its latest version or another, as a file that an import takes back. JSON Lines are exact; in CSV what a
 * spreadsheet would take for a formula gets an apostrophe before it, and metadata that is no text is written as JSON.
 */
export async function exportDataset(
  { database }: Pick<AppContext, 'database'>,
  datasetId: string,
  { format, version }: Asked,
): Promise<Result<Download>> {
  const dataset = await findDataset(database, datasetId, 0);
  if (dataset === null) return fail('not_found', `There is no dataset ${datasetId}.`);
  if (version !== null && version > dataset.latestVersion)
    return fail('not_found', `This dataset has no version ${version}; its latest is ${dataset.latestVersion}.`);
  const name = fileName(dataset.name, `v${version ?? dataset.latestVersion}.${format}`);
  return succeed(
    format === 'csv'
      ? { type: 'text/csv; charset=utf-8', name, chunks: textChunks(csvOf(database, datasetId, version)) }
      : { type: 'application/x-ndjson', name, chunks: textChunks(jsonlOf(database, datasetId, version)) },
  );
}

async function* jsonlOf(database: Database, datasetId: string, version: number | null): AsyncGenerator<string> {
  for await (const { input, reference, tags, metadata, criteria } of walkCases(database, datasetId, version))
    yield `${JSON.stringify({ input, reference, tags, metadata, criteria })}\n`;
}

async function* csvOf(database: Database, datasetId: string, version: number | null): AsyncGenerator<string> {
  const keys = await metadataKeys(database, datasetId, version);
  const hasOwn = await haveCriteria(database, datasetId, version);
  yield csvRow([
    'input',
    'reference',
    'tags',
    ...keys.map((key) => `metadata.${key}`),
    ...(hasOwn ? ['criteria'] : []),
  ]);
  for await (const { input, reference, tags, metadata, criteria } of walkCases(database, datasetId, version))
    yield csvRow([
      input,
      reference,
      tags.join(';'),
      ...keys.map((key) => asCell(metadata[key])),
      ...(hasOwn ? [asCell(criteria)] : []),
    ]);
}

function asCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
