import type { Case } from '#lib/core/case.ts';
import { storableJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** Cases written by one statement. */
const CHUNK = 5_000;

type NewDataset = {
  id: string;
  name: string;
  cases: Case[];
  now: Date;
  /** Who made it; null or left out where no person did. */
  actor?: string | null;
  message?: string | null;
};

/** Stores a dataset with its cases as version 1, inside a transaction. */
export async function insertDataset(transaction: Transaction, dataset: NewDataset): Promise<void> {
  const { id, name, cases, now, actor = null, message = null } = dataset;
  await openDataset(transaction, { id, name, now });
  for (let start = 0; start < cases.length; start += CHUNK) {
    const part = cases.slice(start, start + CHUNK).map((one, place) => ({ ...one, position: start + place }));
    await insertCases(transaction, { datasetId: id, version: 1, cases: part });
  }
  const change = { datasetId: id, version: 1, added: cases.length, changed: 0, removed: 0, actor, message, now };
  await closeDatasetVersion(transaction, change);
}

/** Stores a dataset that has no cases yet: `closeDatasetVersion` counts them. */
export async function openDataset(
  transaction: Transaction,
  { id, name, now }: Pick<NewDataset, 'id' | 'name' | 'now'>,
): Promise<void> {
  await transaction.dataset.create({ data: { id, name, caseCount: 0, createdAt: now, updatedAt: now } });
}

type LockedDataset = { latestVersion: number; caseCount: number; nextPosition: number };

/** Holds a dataset until the transaction ends, so that its versions follow one another; null when there is none. */
export async function lockDataset(transaction: Transaction, datasetId: string): Promise<LockedDataset | null> {
  const [dataset] = await transaction.$queryRaw<Omit<LockedDataset, 'nextPosition'>[]>`
    SELECT latest_version AS "latestVersion", case_count AS "caseCount" FROM datasets WHERE id = ${datasetId}::uuid FOR UPDATE`;
  if (dataset === undefined) return null;
  const last = await transaction.datasetCase.findFirst({
    where: { datasetId },
    orderBy: { position: 'desc' },
    select: { position: true },
  });
  return { ...dataset, nextPosition: last === null ? 0 : last.position + 1 };
}

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
type CaseCounts = Record<'caseCount' | 'withReference' | 'heldOut' | 'validation' | 'train', number>;

/** Writes down a version whose cases are stored, and makes it the dataset's latest. Answers how many cases it has. */
export async function closeDatasetVersion(transaction: Transaction, change: DatasetChange): Promise<number> {
  const { now, ...version } = change;
  // As `taggedSplit` reads tags: of several the most guarded counts.
  const [counts] = await transaction.$queryRaw<[CaseCounts]>`
    SELECT count(*)::int AS "caseCount", count(reference)::int AS "withReference",
      count(*) FILTER (WHERE tags && ARRAY['held_out', 'held-out'])::int AS "heldOut",
      count(*) FILTER (WHERE 'validation' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out'])::int AS validation,
      count(*) FILTER (WHERE 'train' = ANY (tags) AND NOT tags && ARRAY['held_out', 'held-out', 'validation'])::int AS train
    FROM dataset_cases WHERE dataset_id = ${change.datasetId}::uuid AND ended IS NULL`;
  await transaction.datasetVersion.create({ data: { ...version, caseCount: counts.caseCount, createdAt: now } });
  await transaction.dataset.update({
    where: { id: change.datasetId },
    data: { ...counts, latestVersion: change.version, updatedAt: now },
  });
  return counts.caseCount;
}

type VersionCases = { datasetId: string; version: number; cases: readonly (Case & { position: number })[] };

/** Stores new states of cases, as part of a dataset's version. */
export async function insertCases(
  transaction: Transaction,
  { datasetId, version, cases }: VersionCases,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO dataset_cases (dataset_id, position, since, input, reference, tags, metadata, criteria)
    SELECT ${datasetId}::uuid, c.position, ${version}::int, c.input, c.reference, c.tags, c.metadata, c.criteria
    FROM json_to_recordset(${storableJson(cases)}::json)
      AS c(position int, input text, reference text, tags text[], metadata jsonb, criteria jsonb)`;
}

/** Ends cases of a dataset with its version `version`. */
export async function endCases(
  transaction: Transaction,
  { datasetId, version, positions }: { datasetId: string; version: number; positions: number[] },
): Promise<void> {
  await transaction.datasetCase.updateMany({
    where: { datasetId, ended: null, position: { in: positions } },
    data: { ended: version },
  });
}

/** Gives cases of a dataset new states from its version on; their old ones end with it. */
export async function replaceCases(transaction: Transaction, change: VersionCases): Promise<void> {
  const { datasetId, version, cases } = change;
  await endCases(transaction, { datasetId, version, positions: cases.map(({ position }) => position) });
  await insertCases(transaction, change);
}

type Tagging = { datasetId: string; version: number; positions: number[]; tag: string };

/**
 * Gives cases of a dataset a tag more, as part of its version `version`. Nobody has seen those that this very version added without it;
 * the old states of others end with the version.
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
      RETURNING position, input, reference, tags, metadata, criteria
    ), added AS (
      UPDATE dataset_cases SET tags = array_append(tags, ${tag}) WHERE dataset_id = ${datasetId}::uuid AND since = ${version}
        AND position = ANY (${positions}::int[])
    )
    INSERT INTO dataset_cases (dataset_id, position, since, input, reference, tags, metadata, criteria)
    SELECT ${datasetId}::uuid, position, ${version}, input, reference, array_append(tags, ${tag}), metadata, criteria FROM seen`;
}
