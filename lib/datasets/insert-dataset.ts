import type pg from 'pg';
import type { Case } from '#lib/core/case.ts';
import { closeDatasetVersion } from './close-dataset-version.ts';
import { insertCases } from './insert-cases.ts';

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
export async function insertDataset(client: pg.PoolClient, dataset: NewDataset): Promise<void> {
  const { id, name, cases, now, actor = null, message = null } = dataset;
  await client.query('INSERT INTO datasets (id, name, case_count, created_at, updated_at) VALUES ($1, $2, 0, $3, $3)', [
    id,
    name,
    now,
  ]);
  for (let start = 0; start < cases.length; start += CHUNK) {
    const part = cases.slice(start, start + CHUNK);
    await insertCases(client, { datasetId: id, position: start, since: 1, cases: part });
  }
  const change = { datasetId: id, version: 1, added: cases.length, changed: 0, removed: 0, actor, message, now };
  await closeDatasetVersion(client, change);
}
