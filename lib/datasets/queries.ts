import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Case, type CaseCriteria, caseCriteriaSchema } from '#lib/core/case.ts';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import type { Split } from '#lib/core/history.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { lockRow } from '#lib/database/locks.ts';
import {
  cleanJson,
  cleanText,
  type Page,
  pageOf,
  prefixQuery,
  readTimeCursor,
  storableJson,
  timeCursor,
  withIsoTimes,
} from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { DatasetRow, DatasetVersionRow } from './schema.ts';
import { HELD_OUT_TAGS } from './split-tags.ts';

/** Parses a case's own criteria from their column. Undefined if there are none. */
export const criteriaColumn = caseCriteriaSchema
  .nullish()
  .transform((criteria) => criteria ?? undefined)
  .optional();
/** Parses the messages of a case from their column. Undefined if the input is a text. */
export const messagesColumn = chatMessagesSchema
  .nullish()
  .transform((messages) => messages ?? undefined)
  .optional();
const metadataColumn = z.record(z.string(), z.unknown());

/** A case as stored in the columns of a dataset or a run. */
type CaseColumns = Pick<Case, 'input' | 'reference' | 'tags'> & {
  messages: unknown;
  metadata: unknown;
  criteria: unknown;
};

/** Builds a case from its columns. */
export function caseOf({ input, messages, reference, tags, metadata, criteria }: CaseColumns): Case {
  return {
    ...{ input, reference, tags },
    messages: messagesColumn.parse(messages),
    metadata: metadataColumn.parse(metadata),
    criteria: criteriaColumn.parse(criteria),
  };
}

/** Filter for the cases that a dataset has at a version, or at its latest (null). */
function atVersion(version: number | null) {
  return version === null
    ? { ended: null }
    : { since: { lte: version }, OR: [{ ended: null }, { ended: { gt: version } }] };
}

/** Like `atVersion`, but as an SQL condition. */
function isAtVersion(version: number | null): Prisma.Sql {
  return version === null
    ? Prisma.sql`ended IS NULL`
    : Prisma.sql`since <= ${version} AND (ended IS NULL OR ended > ${version})`;
}

/**
 * Returns a dataset with at most `limit` cases of `version` (default: latest), starting at index `from` (0 = the first). Null if the
 * dataset does not exist. A version it never had contains no cases.
 */
export async function findDataset(
  { prisma }: DatabaseClient,
  id: string,
  limit = 200,
  from = 0,
  version: number | null = null,
): Promise<(DatasetRow & { cases: Case[] }) | null> {
  const found = await prisma.dataset.findUnique({
    where: { id },
    omit: { importMapping: true },
    include: { cases: { where: atVersion(version), orderBy: { position: 'asc' }, skip: from, take: limit } },
  });
  if (found === null) return null;
  const { cases, ...row } = found;
  return { ...withIsoTimes(row), cases: cases.map(caseOf) };
}

const NEWEST = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.DatasetOrderByWithRelationInput[];

/** Lists datasets, newest first. `search` matches the dataset's name and the input, reference or tags of its cases. */
export async function listDatasets(
  database: DatabaseClient,
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
    omit: { importMapping: true },
    orderBy: NEWEST,
    take: options.limit + 1,
  });
  return pageOf(rows.map(withIsoTimes), options.limit, timeCursor);
}

/** Finds current cases of all datasets whose input and reference contain all words of the query, matched as prefixes. */
export async function findCases(
  { prisma }: DatabaseClient,
  { query, limit }: { query: string; limit: number },
): Promise<{ datasetId: string; dataset: string; number: number; input: string }[]> {
  return prisma.$queryRaw`
    SELECT c.dataset_id AS "datasetId", d.name AS dataset, c.position + 1 AS number, left(c.input, 200) AS input
    FROM dataset_cases c JOIN datasets d ON d.id = c.dataset_id
    WHERE c.search @@ to_tsquery('simple', ${prefixQuery(query)}) AND c.ended IS NULL LIMIT ${limit}`;
}

/** Returns an ILIKE pattern that matches a text anywhere. */
function anywhere(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

async function idsWith({ prisma }: DatabaseClient, search: string): Promise<string[]> {
  const pattern = anywhere(search);
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM datasets d WHERE name ILIKE ${pattern} OR EXISTS (
      SELECT 1 FROM dataset_cases c WHERE c.dataset_id = d.id AND c.ended IS NULL
        AND (c.input ILIKE ${pattern} OR c.reference ILIKE ${pattern} OR array_to_string(c.tags, ' ') ILIKE ${pattern}))`;
  return rows.map(({ id }) => id);
}

/** Lists the newest datasets, at most `limit`, plus the dataset `datasetId` if it exists. `tagged`: number of cases for each split. */
export async function listTunableDatasets(
  { prisma }: DatabaseClient,
  { datasetId, limit }: { datasetId: string | null; limit: number },
) {
  const select = { id: true, name: true, caseCount: true, train: true, validation: true, heldOut: true };
  const newest = await prisma.dataset.findMany({ select, orderBy: NEWEST, take: limit });
  const isOlder = datasetId !== null && !newest.some(({ id }) => id === datasetId);
  const older = isOlder ? await prisma.dataset.findMany({ where: { id: datasetId }, select }) : [];
  return [...newest, ...older].map(({ train, validation, heldOut, ...dataset }) => ({
    ...dataset,
    tagged: { train, validation, held_out: heldOut },
  }));
}

/** Counts all datasets, their cases and their held-out cases. */
export async function countDatasets({
  prisma,
}: DatabaseClient): Promise<{ datasets: number; cases: number; heldOut: number }> {
  const { _count, _sum } = await prisma.dataset.aggregate({ _count: true, _sum: { caseCount: true, heldOut: true } });
  return { datasets: _count, cases: _sum.caseCount ?? 0, heldOut: _sum.heldOut ?? 0 };
}

/** A use of a dataset: an experiment that ran over it, or a prompt that is evaluated on it. */
type DatasetUse = { kind: 'experiment'; id: string; name: string; version: number } | { kind: 'prompt'; name: string };
type UseRow = { datasetId: string; id: string | null; name: string; version: number | null };

/** Returns the uses of these datasets: experiments by their latest batch over it, newest first, then prompts. */
export async function datasetUses(
  { prisma }: DatabaseClient,
  datasetIds: string[],
): Promise<Map<string, DatasetUse[]>> {
  const rows = await prisma.$queryRaw<UseRow[]>`
    SELECT b.dataset_id::text AS "datasetId", e.id, e.name, max(b.experiment_version)::int AS version, max(b.created_at) AS "lastAt"
    FROM batches b JOIN experiments e ON e.id = b.experiment_id
    WHERE b.dataset_id = ANY (${datasetIds}::uuid[]) GROUP BY b.dataset_id, e.id, e.name
    UNION ALL
    SELECT setup->>'datasetId', NULL, name, NULL, NULL FROM prompts WHERE setup->>'datasetId' = ANY (${datasetIds}::text[])
    ORDER BY "lastAt" DESC NULLS LAST, name`;
  const uses = new Map<string, DatasetUse[]>();
  for (const { datasetId, id, name, version } of rows) {
    const use: DatasetUse =
      id === null || version === null ? { kind: 'prompt', name } : { kind: 'experiment', id, name, version };
    uses.set(datasetId, [...(uses.get(datasetId) ?? []), use]);
  }
  return uses;
}

/** Lists the versions of a dataset, newest first, at most `limit`, starting at version `cursor` (null: the latest). */
export async function listDatasetVersions(
  { prisma }: DatabaseClient,
  datasetId: string,
  { cursor, limit }: { cursor: number | null; limit: number },
): Promise<Page<DatasetVersionRow>> {
  const rows = await prisma.datasetVersion.findMany({
    where: { datasetId, ...(cursor === null ? {} : { version: { lt: cursor } }) },
    omit: { datasetId: true },
    orderBy: { version: 'desc' },
    take: limit + 1,
  });
  return pageOf(rows.map(withIsoTimes), limit, ({ version }) => String(version));
}

/** A case with its permanent number. `since` is the version that created its current state. */
type CaseRow = Case & { number: number; since: number; split: Split | null };

type CaseFilter = {
  version: number | null;
  /** Text contained in the input, the reference or a tag. Empty to match all. */
  search: string;
  split: Split | 'undivided' | null;
  tag: string | null;
};

export const ALL_CASES: CaseFilter = { version: null, search: '', split: null, tag: null };

/** Must match `taggedSplit`. */
const SPLIT = Prisma.sql`CASE WHEN tags && ARRAY['held_out', 'held-out'] THEN 'held_out' WHEN 'validation' = ANY (tags) THEN 'validation'
  WHEN 'train' = ANY (tags) THEN 'train' END`;

/** Lists cases of a dataset by number, after the number `cursor`, with the total count for this filter. */
export async function listCases(
  { prisma }: DatabaseClient,
  datasetId: string,
  { version, search: typed, split, tag }: CaseFilter,
  { cursor, limit }: { cursor: number; limit: number },
): Promise<Page<CaseRow> & { total: number }> {
  const search = cleanText(typed.trim());
  const pattern = search === '' ? null : anywhere(search);
  const found = Prisma.sql`FROM dataset_cases WHERE dataset_id = ${datasetId}::uuid AND ${isAtVersion(version)}
    AND (${pattern}::text IS NULL OR input ILIKE ${pattern} OR reference ILIKE ${pattern} OR array_to_string(tags, ' ') ILIKE ${pattern})
    AND (${split}::text IS NULL OR coalesce(${SPLIT}, 'undivided') = ${split}) AND (${tag}::text IS NULL OR ${tag} = ANY (tags))`;
  const [rows, [counted]] = await Promise.all([
    prisma.$queryRaw<(CaseColumns & Omit<CaseRow, keyof Case>)[]>`
      SELECT position + 1 AS number, since, ${SPLIT} AS split, input, messages, reference, tags, metadata, criteria ${found}
      AND position >= ${cursor} ORDER BY position LIMIT ${limit + 1}`,
    prisma.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${found}`,
  ]);
  const cases = rows.map(({ number, since, split, ...columns }) => ({ number, since, split, ...caseOf(columns) }));
  return { ...pageOf(cases, limit, ({ number }) => String(number)), total: counted?.total ?? 0 };
}

/** A case that a version changed. `before` is null if the case was added, `after` if it was removed. */
export type CaseChange = { number: number; before: Case | null; after: Case | null };
type ChangeRow = { number: number; before: CaseColumns | null; after: CaseColumns | null };

/** Lists the changes of a dataset version by case number, after the number `cursor`. */
export async function listCaseChanges(
  { prisma }: DatabaseClient,
  datasetId: string,
  version: number,
  { cursor, limit }: { cursor: number; limit: number },
): Promise<Page<CaseChange>> {
  const state = Prisma.sql`position, json_build_object('input', input, 'messages', messages, 'reference', reference, 'tags', tags, 'metadata', metadata, 'criteria', criteria) AS state
    FROM dataset_cases WHERE dataset_id = ${datasetId}::uuid`;
  const rows = await prisma.$queryRaw<ChangeRow[]>`
    SELECT coalesce(a.position, b.position) + 1 AS number, b.state AS before, a.state AS after
    FROM (SELECT ${state} AND ended = ${version}) b FULL JOIN (SELECT ${state} AND since = ${version}) a ON a.position = b.position
    WHERE coalesce(a.position, b.position) >= ${cursor} ORDER BY 1 LIMIT ${limit + 1}`;
  const changes = rows.map(({ number, before, after }) => ({
    number,
    before: before && caseOf(before),
    after: after && caseOf(after),
  }));
  return pageOf(changes, limit, ({ number }) => String(number));
}

/** Returns the metadata keys of a dataset's cases in alphabetical order. */
export async function metadataKeys(
  { prisma }: DatabaseClient,
  datasetId: string,
  version: number | null,
): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT jsonb_object_keys(metadata) AS key FROM dataset_cases
    WHERE dataset_id = ${datasetId}::uuid AND ${isAtVersion(version)} ORDER BY key`;
  return rows.map(({ key }) => key);
}

/** Returns true if any case of a dataset has its own criteria. */
export async function haveCriteria(
  { prisma }: DatabaseClient,
  datasetId: string,
  version: number | null,
): Promise<boolean> {
  const where = { datasetId, criteria: { not: Prisma.DbNull }, ...atVersion(version) };
  return (await prisma.datasetCase.findFirst({ where, select: { position: true } })) !== null;
}

/** Number of cases, and the mean length of their inputs in characters. */
type CaseLengths = { count: number; meanLength: number };

/** Returns the case lengths of a dataset's latest version, without loading its texts. */
export async function datasetLengths(database: DatabaseClient, datasetId: string): Promise<CaseLengths> {
  return lengthsOf(
    database,
    Prisma.sql`SELECT input FROM dataset_cases WHERE dataset_id = ${datasetId}::uuid AND ended IS NULL`,
  );
}

/** Returns the case lengths of the newest 1,000 runs of an experiment. Each run counts as a case. */
export async function runLengths(database: DatabaseClient, experimentId: string): Promise<CaseLengths> {
  return lengthsOf(
    database,
    Prisma.sql`SELECT input FROM runs WHERE experiment_id = ${experimentId}::uuid ORDER BY number DESC LIMIT 1000`,
  );
}

async function lengthsOf({ prisma }: DatabaseClient, inputs: Prisma.Sql): Promise<CaseLengths> {
  const [lengths] = await prisma.$queryRaw<CaseLengths[]>`
    SELECT count(*)::int AS count, coalesce(avg(length(input)), 0)::float8 AS "meanLength" FROM (${inputs}) cases`;
  return lengths ?? { count: 0, meanLength: 0 };
}

/** Returns the tags of each case of a dataset's latest version, in case order, at most `limit`. */
export async function datasetTags({ prisma }: DatabaseClient, datasetId: string, limit: number): Promise<string[][]> {
  const rows = await prisma.datasetCase.findMany({
    where: { datasetId, ended: null },
    select: { tags: true },
    orderBy: { position: 'asc' },
    take: limit,
  });
  return rows.map(({ tags }) => tags);
}

/** Returns the distinct criteria of the cases in a dataset's latest version, at most `limit`. */
export async function datasetCriteria(
  { prisma }: DatabaseClient,
  datasetId: string,
  limit: number,
): Promise<CaseCriteria[]> {
  const rows = await prisma.datasetCase.groupBy({
    by: ['criteria'],
    where: { datasetId, ended: null, criteria: { not: Prisma.DbNull } },
    orderBy: { criteria: 'asc' },
    take: limit,
  });
  return rows.map(({ criteria }) => caseCriteriaSchema.parse(criteria));
}

/** Returns the cases of a dataset's latest version at these positions, in order. Missing positions are left out. */
export async function casesAt(
  prisma: Transaction,
  datasetId: string,
  positions: number[],
): Promise<(Case & { position: number })[]> {
  const rows = await prisma.datasetCase.findMany({
    where: { datasetId, ended: null, position: { in: positions } },
    orderBy: { position: 'asc' },
  });
  return rows.map((row) => ({ position: row.position, ...caseOf(row) }));
}

/** Hashes inputs like the column `input_key`. */
function keysOf(inputs: readonly string[]): string[] {
  return inputs.map((input) => createHash('md5').update(input).digest('hex'));
}

/** Returns which of these inputs are held out in a dataset other than `datasetId`, with the names of those datasets. */
export async function inputsHeldOutElsewhere(
  prisma: Transaction,
  inputs: readonly string[],
  datasetId: string | null,
): Promise<{ input: string; name: string }[]> {
  const rows = await prisma.datasetCase.findMany({
    where: {
      inputKey: { in: keysOf(inputs) },
      ended: null,
      tags: { hasSome: HELD_OUT_TAGS },
      ...(datasetId !== null && { datasetId: { not: datasetId } }),
    },
    select: { input: true, dataset: { select: { name: true } } },
  });
  return rows.map(({ input, dataset: { name } }) => ({ input, name }));
}

/** Returns the stored cases of a dataset that have one of these inputs. */
export async function casesWithInputs(
  prisma: Transaction,
  inputs: readonly string[],
  datasetId: string,
): Promise<(Case & { position: number })[]> {
  const where = { inputKey: { in: keysOf(inputs) }, datasetId, ended: null };
  const rows = await prisma.datasetCase.findMany({ where });
  return rows.map((row) => ({ position: row.position, ...caseOf(row) }));
}

type LockedDataset = { latestVersion: number; caseCount: number; nextPosition: number };

/** Locks a dataset until the transaction ends, so that its versions are created one at a time. Null if the dataset does not exist. */
export async function lockDataset(transaction: Transaction, datasetId: string): Promise<LockedDataset | null> {
  if (!(await lockRow(transaction, 'datasets', datasetId))) return null;
  const dataset = await transaction.dataset.findUniqueOrThrow({
    where: { id: datasetId },
    select: { latestVersion: true, caseCount: true },
  });
  const last = await transaction.datasetCase.findFirst({
    where: { datasetId },
    orderBy: { position: 'desc' },
    select: { position: true },
  });
  return { ...dataset, nextPosition: last === null ? 0 : last.position + 1 };
}

type CaseCounts = Record<'caseCount' | 'withReference' | 'heldOut' | 'validation' | 'train', number>;

/** Counts the cases of a dataset's latest version by split. */
export async function countCases(transaction: Transaction, datasetId: string): Promise<CaseCounts> {
  // Must match `taggedSplit`: with several split tags, the most protected one wins.
  const [counts] = await transaction.$queryRaw<[CaseCounts]>`
    SELECT count(*)::int AS "caseCount", count(reference)::int AS "withReference",
      count(*) FILTER (WHERE tags && ARRAY['held_out', 'held-out'])::int AS "heldOut",
      count(*) FILTER (WHERE 'validation' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out'])::int AS validation,
      count(*) FILTER (WHERE 'train' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out', 'validation'])::int AS train
    FROM dataset_cases WHERE dataset_id = ${datasetId}::uuid AND ended IS NULL`;
  return counts;
}

type VersionCases = { datasetId: string; version: number; cases: readonly (Case & { position: number })[] };

/** Stores new states of cases as part of a dataset version. */
export async function insertCases(
  transaction: Transaction,
  { datasetId, version, cases }: VersionCases,
): Promise<void> {
  const data = cases.map(({ position, input, messages, reference, tags, metadata, criteria }) => ({
    ...{ datasetId, position, since: version },
    ...cleanJson({ input, reference, tags }),
    metadata: JSON.parse(storableJson(metadata)),
    messages: cleanJson(messages) ?? Prisma.DbNull,
    criteria: cleanJson(criteria) ?? Prisma.DbNull,
  }));
  await transaction.datasetCase.createMany({ data });
}

type Tagging = { datasetId: string; version: number; positions: number[]; tag: string };

/**
 * Adds a tag to cases of a dataset as part of version `version`. Cases added by this same version are updated in place, because nobody has
 * read them yet. The old states of other cases end with the version.
 */
export async function tagCases(
  transaction: Transaction,
  { datasetId, version, positions, tag }: Tagging,
): Promise<void> {
  if (positions.length === 0) return;
  await transaction.$executeRaw`
    WITH seen AS (
      UPDATE dataset_cases SET ended = ${version} WHERE dataset_id = ${datasetId}::uuid AND ended IS NULL AND since < ${version}
        AND position = ANY (${positions}::int[])
      RETURNING position, input, messages, reference, tags, metadata, criteria
    ), added AS (
      UPDATE dataset_cases SET tags = array_append(tags, ${tag}) WHERE dataset_id = ${datasetId}::uuid AND since = ${version}
        AND position = ANY (${positions}::int[])
    )
    INSERT INTO dataset_cases (dataset_id, position, since, input, messages, reference, tags, metadata, criteria)
    SELECT ${datasetId}::uuid, position, ${version}, input, messages, reference, array_append(tags, ${tag}), metadata, criteria FROM seen`;
}
