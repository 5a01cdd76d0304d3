import type pg from 'pg';
import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { storableJson } from '#lib/database/clean-text.ts';
import { criteriaColumn } from './criteria-column.ts';

const caseRow = z.object({
  position: z.int(),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

/** The cases of a dataset's latest version at these positions; ones that are not there are left out. */
export async function casesAt(
  client: Pick<pg.PoolClient, 'query'>,
  datasetId: string,
  positions: readonly number[],
): Promise<(Case & { position: number })[]> {
  const { rows } = await client.query(
    `SELECT position, input, reference, tags, metadata, criteria FROM dataset_cases
     WHERE dataset_id = $1 AND ended IS NULL AND position = ANY ($2::int[]) ORDER BY position`,
    [datasetId, positions],
  );
  return z.array(caseRow).parse(rows);
}

/** Ends cases of a dataset with its version `version`. */
export async function endCases(
  client: pg.PoolClient,
  { datasetId, version, positions }: { datasetId: string; version: number; positions: readonly number[] },
): Promise<void> {
  await client.query(
    'UPDATE dataset_cases SET ended = $2 WHERE dataset_id = $1 AND ended IS NULL AND position = ANY ($3::int[])',
    [datasetId, version, positions],
  );
}

/** Gives cases of a dataset new states from its version `version` on; their old ones end with it. */
export async function replaceCases(
  client: pg.PoolClient,
  {
    datasetId,
    version,
    cases,
  }: { datasetId: string; version: number; cases: readonly (Case & { position: number })[] },
): Promise<void> {
  await endCases(client, { datasetId, version, positions: cases.map(({ position }) => position) });
  await client.query(
    `INSERT INTO dataset_cases (dataset_id, position, since, input, reference, tags, metadata, criteria)
     SELECT $1, c.position, $2, c.input, c.reference, c.tags, c.metadata, c.criteria
     FROM json_to_recordset($3::json) AS c(position int, input text, reference text, tags text[], metadata jsonb, criteria jsonb)`,
    [datasetId, version, storableJson(cases)],
  );
}
