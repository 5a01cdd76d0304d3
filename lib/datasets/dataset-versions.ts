import type { Case } from '#lib/core/case.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { countCases, insertCases } from './queries.ts';

/** Number of cases written per statement. */
const CHUNK = 5_000;

type NewDataset = {
  id: string;
  name: string;
  cases: Case[];
  now: Date;
  /** Name of the person who created it. Null or omitted if no person did. */
  actor?: string | null;
  message?: string | null;
};

/** Stores a dataset with its cases as version 1. Must run in a transaction. */
export async function insertDataset(transaction: Transaction, dataset: NewDataset): Promise<void> {
  const { id, name, cases, now, actor = null, message = null } = dataset;
  await openDataset(transaction, { id, name, now });
  for (let start = 0; start < cases.length; start += CHUNK) {
    const part = cases.slice(start, start + CHUNK).map((one, index) => ({ ...one, position: start + index }));
    await insertCases(transaction, { datasetId: id, version: 1, cases: part });
  }
  const change = { datasetId: id, version: 1, added: cases.length, changed: 0, removed: 0, actor, message, now };
  await closeDatasetVersion(transaction, change);
}

/** Stores a dataset without cases. `closeDatasetVersion` counts its cases later. */
export async function openDataset(
  transaction: Transaction,
  { id, name, now }: Pick<NewDataset, 'id' | 'name' | 'now'>,
): Promise<void> {
  await transaction.dataset.create({ data: { id, name, caseCount: 0, createdAt: now, updatedAt: now } });
}

type DatasetChange = {
  datasetId: string;
  version: number;
  added: number;
  changed: number;
  removed: number;
  /** Name of the person who created it. Null if no person did. */
  actor: string | null;
  message: string | null;
  now: Date;
};
/** Records a version whose cases are stored, and makes it the dataset's latest. Returns its number of cases. */
export async function closeDatasetVersion(transaction: Transaction, change: DatasetChange): Promise<number> {
  const { now, ...version } = change;
  const counts = await countCases(transaction, change.datasetId);
  await transaction.datasetVersion.create({ data: { ...version, caseCount: counts.caseCount, createdAt: now } });
  await transaction.dataset.update({
    where: { id: change.datasetId },
    data: { ...counts, latestVersion: change.version, updatedAt: now },
  });
  return counts.caseCount;
}
