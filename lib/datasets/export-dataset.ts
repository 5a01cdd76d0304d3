import type { DatabaseContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { type CellValue, csvRow, exactCell } from '#lib/formats/csv-cell.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { inputCell, joinTags } from './case-mapping.ts';
import { ALL_CASES, findDataset, haveCriteria, listCases, metadataKeys } from './queries.ts';

/** Number of cases read at a time. */
const PART = 500;

/** Yields all cases of a dataset at a version (null: the latest), ordered by number, in batches. */
async function* walkCases(
  database: Database,
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

type ExportOptions = { format: 'jsonl' | 'csv'; version: number | null };

/**
 * Exports the cases of a dataset, at its latest or another version, as a file that can be imported again. JSON Lines are exact. In CSV,
 * texts that a spreadsheet would read as a formula are prefixed with an apostrophe, which the import removes. Non-text metadata is written
 * as JSON and read as text.
 */
export async function exportDataset(
  { database }: DatabaseContext,
  datasetId: string,
  { format, version }: ExportOptions,
): Promise<Result<Download>> {
  const dataset = await findDataset(database, datasetId, 0);
  if (dataset === null) return notStored('dataset', datasetId);
  if (version !== null && version > dataset.latestVersion)
    return fail('not_found', `This dataset has no version ${version}. The latest is ${dataset.latestVersion}.`);
  const name = fileName(dataset.name, `v${version ?? dataset.latestVersion}.${format}`);
  return succeed(
    format === 'csv'
      ? { type: 'text/csv; charset=utf-8', name, chunks: textChunks(csvOf(database, datasetId, version)) }
      : { type: 'application/x-ndjson', name, chunks: textChunks(jsonlOf(database, datasetId, version)) },
  );
}

async function* jsonlOf(database: Database, datasetId: string, version: number | null): AsyncGenerator<string> {
  for await (const { input, messages, reference, tags, metadata, criteria } of walkCases(database, datasetId, version))
    yield `${JSON.stringify({ input: messages ?? input, reference, tags, metadata, criteria })}\n`;
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
  for await (const { input, messages, reference, tags, metadata, criteria } of walkCases(database, datasetId, version))
    yield csvRow([
      messages ? JSON.stringify(messages) : inputCell(input),
      asCell(reference),
      tags.length === 0 ? null : exactCell(joinTags(tags)),
      ...keys.map((key) => asCell(metadata[key])),
      ...(hasOwn ? [asCell(criteria)] : []),
    ]);
}

function asCell(value: unknown): CellValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return exactCell(value);
  return typeof value === 'number' ? value : JSON.stringify(value);
}
