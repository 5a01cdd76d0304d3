import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { SPLITS, type Split } from '#lib/core/history.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { type Transaction, tryInTransaction } from '#lib/database/transactions.ts';
import type { InlineFile } from '#lib/files/data-url.ts';
import { MAX_IMPORTED_FILES } from '#lib/files/schema.ts';
import { type FileFacts, storeInlineFile } from '#lib/files/stored-files.ts';
import type { ImportReport, SplitCounts } from '#lib/formats/import-report.ts';
import { openSpool, type Spool, type SpooledSpan } from '#lib/formats/spool.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type CaseReading, firstChoiceOf } from './case-mapping.ts';
import { type CaseMapping, caseMappingSchema } from './case-mapping-schema.ts';
import { closeDatasetVersion, openDataset } from './dataset-versions.ts';
import { type CheckedRow, checkedRows, type Gathered, gatherImport, lineProblem } from './gather-import.ts';
import type { ImportOptions } from './import-options.ts';
import { findDataset, insertCases, lockDataset, tagCases } from './queries.ts';
import { type CaseFormat, type CaseRow, readCaseRows } from './read-case-rows.ts';
import type { DatasetRow } from './schema.ts';
import { assignSplits } from './split-cases.ts';
import { taggedSplit } from './split-tags.ts';
import { columnsOf, type ImportColumn, type MappingSource, suggestMapping } from './suggest-mapping.ts';

export type CaseUpload = { format: CaseFormat; bytes: AsyncIterable<Uint8Array> };
/** The target of an import: an existing dataset, or a new one with the requested `name`. It is null if the JSON body contains the name. */
export type ImportTarget = { name: string | null } | { datasetId: string };
/** `id` is null after a dry run that stored nothing. */
export type Imported = { id: string | null; version: number; caseCount: number; report: ImportReport };

/**
 * Stores the cases of an upload as a new dataset or as a new version of one. Rows are validated and spooled to disk first, then stored in
 * batches. At most one batch is in memory, and a database connection is held only while storing. The import is atomic: a faulty line undoes
 * it, unless `options` skips faulty lines.
 */
export async function importCases(
  context: AppContext,
  actor: Actor,
  target: ImportTarget,
  { format, bytes }: CaseUpload,
  options: ImportOptions,
): Promise<Result<Imported>> {
  const dataset = 'datasetId' in target ? await findDataset(context.database, target.datasetId, 0) : null;
  if ('datasetId' in target && dataset === null) return notStored('dataset', target.datasetId);
  // Rejects an invalid name before reading the upload.
  const named =
    options.dryRun || 'datasetId' in target || target.name === null
      ? null
      : parseInput(nameSchema, target.name, ['name']);
  if (named?.ok === false) return named;
  const remembered = dataset === null ? null : await findImportMapping(context.database, dataset.id);
  const known = options.mapping === 'suggest' ? (remembered ?? {}) : options.mapping;
  const read = await readColumns(readCaseRows(format, bytes, known), options.mapping, remembered);
  const inline = new Map<string, FileFacts>();
  const rowsKeeping = (keep: (file: InlineFile) => Promise<void>) =>
    checkedRows(read.rows, { ...read.reading, keepOthers: options.keepOthers }, async (file) => {
      const { file: id, mediaType } = file.part;
      if (inline.has(id)) return true;
      if (inline.size >= MAX_IMPORTED_FILES) return false;
      inline.set(id, { mediaType, size: file.bytes.byteLength });
      await keep(file);
      return true;
    });
  const request = { target, dataset, options, read };
  if (options.dryRun)
    return previewCases(
      context,
      request,
      rowsKeeping(async () => {}),
      inline,
    );
  const spool = await openSpool();
  try {
    const files = new Map<string, SpooledSpan>();
    const rows = rowsKeeping(async ({ part, bytes }) => {
      files.set(part.file, await spool.add(JSON.stringify({ part, bytes: Buffer.from(bytes).toString('base64') })));
    });
    const waiting = await spoolRows(rows, options, spool);
    if (!waiting.ok) return waiting;
    const spooled = {
      rows: spooledRows(spool, waiting.value),
      files: spooledFiles(spool, files),
      fileCount: files.size,
    };
    return await storeCases(context, actor, request, spooled);
  } finally {
    await spool.close();
  }
}

type ImportRequest = { target: ImportTarget; dataset: DatasetRow | null; options: ImportOptions; read: ReadColumns };

async function previewCases(
  { database: { prisma }, now }: AppContext,
  { dataset, options, read }: ImportRequest,
  rows: AsyncIterable<Result<CheckedRow>>,
  inline: ReadonlyMap<string, FileFacts>,
): Promise<Result<Imported>> {
  const { id = null, caseCount = 0, latestVersion = 0 } = dataset ?? {};
  const store = async () => {};
  const gathered = await gatherImport(rows, options, { prisma, datasetId: id, now: now(), caseCount, inline, store });
  if (!gathered.ok) return gathered;
  const refused = dataset === null ? refuseOtherMembers(gathered.value) : null;
  if (refused !== null) return refused;
  const report = reportOf(gathered.value, splitsOf(gathered.value, options), dataset, read);
  return succeed({ id, version: latestVersion + 1, caseCount: caseCount + gathered.value.ready, report });
}

/** Spools the rows to disk and returns their positions in order. Stops at the first fault if faults reject the import. */
async function spoolRows(
  rows: AsyncIterable<Result<CheckedRow>>,
  options: ImportOptions,
  spool: Spool,
): Promise<Result<SpooledSpan[]>> {
  const spans: SpooledSpan[] = [];
  for await (const read of rows) {
    if (!read.ok) return read;
    if (read.value.kind === 'fault' && options.wrong === 'refuse') return lineProblem(read.value.fault);
    spans.push(await spool.add(JSON.stringify(read.value)));
  }
  return succeed(spans);
}

const ROWS_AT_ONCE = 200;

async function* spooledRows(spool: Spool, spans: SpooledSpan[]): AsyncGenerator<Result<CheckedRow>> {
  for (let from = 0; from < spans.length; from += ROWS_AT_ONCE)
    for (const text of await spool.read(spans.slice(from, from + ROWS_AT_ONCE))) yield succeed(JSON.parse(text));
}

/** Files sorted by id, so that concurrent imports lock the same files in the same order. */
async function* spooledFiles(spool: Spool, spans: ReadonlyMap<string, SpooledSpan>): AsyncGenerator<InlineFile> {
  for (const [, span] of [...spans].sort(([one], [other]) => (one < other ? -1 : 1)))
    for (const text of await spool.read([span])) {
      const { part, bytes } = JSON.parse(text);
      yield { part, bytes: Buffer.from(bytes, 'base64') };
    }
}

/** Storing 100,000 cases takes seconds, or minutes on a busy machine. */
const MAX_STORING_MS = 3_600_000;

type SpooledImport = {
  rows: AsyncIterable<Result<CheckedRow>>;
  files: AsyncIterable<InlineFile>;
  fileCount: number;
};

function storeCases(
  context: AppContext,
  actor: Actor,
  { target, dataset, options, read }: ImportRequest,
  { rows, files, fileCount }: SpooledImport,
): Promise<Result<Imported>> {
  const store = async (transaction: Transaction): Promise<Result<Imported>> => {
    const open = await openVersion(context, transaction, target);
    if (!open.ok) return open;
    const { datasetId, version, nextPosition, caseCount } = open.value;
    for await (const file of files) await storeInlineFile(transaction, file, { actor: actor.name, now: context.now() });
    let position = nextPosition;
    const gathered = await gatherImport(rows, options, {
      prisma: transaction,
      datasetId: version === 1 ? null : datasetId,
      now: context.now(),
      caseCount,
      store: async (cases) => {
        const placed = cases.map((one, index) => ({ ...one, position: position + index }));
        if (cases.length > 0) await insertCases(transaction, { datasetId, version, cases: placed });
        position += cases.length;
      },
    });
    if (!gathered.ok) return gathered;
    const named =
      'datasetId' in target
        ? succeed(dataset?.name ?? null)
        : await nameDataset(transaction, datasetId, target, gathered.value);
    if (!named.ok) return named;
    const { ready } = gathered.value;
    if (ready === 0) return fail('invalid', 'It contains no cases. Nothing was stored.', 'cases');
    const splits = splitsOf(gathered.value, options);
    for (const tag of SPLITS) {
      const isNew = (at: number) => taggedSplit({ tags: gathered.value.tags[at] ?? [] }) === null;
      const positions = splits.flatMap((split, at) => (split === tag && isNew(at) ? [nextPosition + at] : []));
      await tagCases(transaction, { datasetId, version, positions, tag });
    }
    if (Object.keys(read.mapping).length > 0)
      await transaction.dataset.updateMany({
        where: { id: datasetId },
        data: { importMapping: cleanJson(read.mapping) },
      });
    const total = await closeDatasetVersion(transaction, {
      ...{ datasetId, version, added: ready, changed: 0, removed: 0 },
      ...{ actor: actor.name, message: options.message, now: context.now() },
    });
    await recordChange(transaction, actor, {
      act: 'imported',
      subject: { kind: 'dataset', id: datasetId, name: named.value },
      change: { cases: ready, version, ...(fileCount > 0 && { files: fileCount }) },
    });
    const report = reportOf(gathered.value, splits, dataset, read);
    return succeed({ id: datasetId, version, caseCount: total, report });
  };
  return tryInTransaction(context.database, store, { timeout: MAX_STORING_MS });
}

async function openVersion(
  context: AppContext,
  transaction: Transaction,
  target: ImportTarget,
): Promise<Result<{ datasetId: string; version: number; nextPosition: number; caseCount: number }>> {
  if ('datasetId' in target) {
    const locked = await lockDataset(transaction, target.datasetId);
    if (locked === null) return notStored('dataset', target.datasetId);
    const { latestVersion, nextPosition, caseCount } = locked;
    return succeed({ datasetId: target.datasetId, version: latestVersion + 1, nextPosition, caseCount });
  }
  const datasetId = context.newId();
  await openDataset(transaction, { id: datasetId, name: '', now: context.now() });
  return succeed({ datasetId, version: 1, nextPosition: 0, caseCount: 0 });
}

/** A JSON body of a new dataset contains only its name and its cases. */
function refuseOtherMembers({ members }: Gathered): Result<never> | null {
  for (const key of members.keys())
    if (key !== 'name') return fail('invalid', `${key} is not a known setting. Remove it, or check its name.`, key);
  return null;
}

/** The name can be after the cases. */
async function nameDataset(
  transaction: Transaction,
  datasetId: string,
  { name: requested }: { name: string | null },
  gathered: Gathered,
): Promise<Result<string>> {
  const refused = refuseOtherMembers(gathered);
  if (refused !== null) return refused;
  const name = parseInput(nameSchema, requested ?? gathered.members.get('name'), ['name']);
  if (!name.ok) return name;
  await transaction.dataset.updateMany({ where: { id: datasetId }, data: { name: name.value } });
  return name;
}

function splitsOf({ tags }: Gathered, { division }: ImportOptions): (Split | null)[] {
  const cases = tags.map((of) => ({ tags: of }));
  return division === null ? cases.map(taggedSplit) : assignSplits(cases, division);
}

function reportOf(
  { rows, tags, members, ...report }: Gathered,
  splits: readonly (Split | null)[],
  dataset: DatasetRow | null,
  read: ReadColumns,
): ImportReport {
  const { caseCount = 0, train = 0, validation = 0, heldOut = 0 } = dataset ?? {};
  const undivided = caseCount - train - validation - heldOut;
  const before: SplitCounts = { train, validation, held_out: heldOut, undivided };
  const after = { ...before };
  for (const split of splits) after[split ?? 'undivided'] += 1;
  return {
    ...report,
    rows: rows.map(({ row, index }) => ({ ...row, split: index === null ? null : (splits[index] ?? null) })),
    splits: { before, after },
    columns: read.columns.map(({ name, samples }) => ({ name, samples })),
    mapping: read.mapping,
    mappingSource: read.source,
  };
}

/** Returns the column mapping of the last import into the dataset. Returns null if no import needed one or the dataset does not exist. */
async function findImportMapping({ prisma }: DatabaseClient, datasetId: string): Promise<CaseMapping | null> {
  const row = await prisma.dataset.findUnique({ where: { id: datasetId }, select: { importMapping: true } });
  const parsed = caseMappingSchema.safeParse(row?.importMapping);
  return parsed.success ? parsed.data : null;
}

/** Limits for the rows used to detect columns. Detection ends when either limit is reached. */
const FIRST_ROWS = 50;
const FIRST_CHARACTERS = 1_000_000;

/** The columns of an import, the target of each, and all of its rows. */
type ReadColumns = {
  columns: ImportColumn[];
  mapping: CaseMapping;
  source: MappingSource | 'given';
  reading: Pick<CaseReading, 'mapping' | 'firstChoice'>;
  rows: AsyncIterable<Result<CaseRow>>;
};

/**
 * Detects the columns from the first rows and returns their mapping: the requested one, or that of `suggestMapping`. The first rows are
 * included in `rows`.
 */
async function readColumns(
  rows: AsyncGenerator<Result<CaseRow>>,
  mapping: ImportOptions['mapping'],
  remembered: CaseMapping | null,
): Promise<ReadColumns> {
  const first: Result<CaseRow>[] = [];
  const values: Record<string, unknown>[] = [];
  let isTable = false;
  let characters = 0;
  let isDone = false;
  while (values.length < FIRST_ROWS && characters < FIRST_CHARACTERS && first.length < 10 * FIRST_ROWS) {
    const next = await rows.next();
    isDone = next.done === true;
    if (next.done) break;
    first.push(next.value);
    if (!next.value.ok || next.value.value.kind !== 'value' || !isRecord(next.value.value.value)) continue;
    const { value, text } = next.value.value;
    isTable = text === null;
    values.push(value);
    characters += text?.length ?? JSON.stringify(value).length;
  }
  async function* all() {
    yield* first;
    if (!isDone) yield* rows;
  }
  const columns = columnsOf(values);
  const chosen =
    mapping === 'suggest' ? suggestMapping(columns, remembered, isTable) : { mapping, source: 'given' as const };
  const reading = { mapping: chosen.mapping, firstChoice: firstChoiceOf(values, chosen.mapping, isTable) };
  return { columns, ...chosen, reading, rows: all() };
}
