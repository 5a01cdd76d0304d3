import type pg from 'pg';

type Move = { datasetId: string; version: number; positions: readonly number[]; tag: string };

/** Gives cases of a dataset a tag more, as part of its version `version`: their old states end with it. */
export async function moveCases(client: pg.PoolClient, { datasetId, version, positions, tag }: Move): Promise<void> {
  if (positions.length === 0) return;
  await client.query(
    `WITH old AS (
       UPDATE dataset_cases SET ended = $2 WHERE dataset_id = $1 AND ended IS NULL AND since < $2 AND position = ANY ($3::int[])
       RETURNING position, input, reference, tags, metadata, criteria
     )
     INSERT INTO dataset_cases (dataset_id, position, since, input, reference, tags, metadata, criteria)
     SELECT $1, position, $2, input, reference, array_append(tags, $4), metadata, criteria FROM old`,
    [datasetId, version, positions, tag],
  );
}

/** The same for cases that this very version added: nobody has seen them without the tag. */
export async function tagNewCases(client: pg.PoolClient, { datasetId, version, positions, tag }: Move): Promise<void> {
  if (positions.length === 0) return;
  await client.query(
    `UPDATE dataset_cases SET tags = array_append(tags, $4)
     WHERE dataset_id = $1 AND since = $2 AND position = ANY ($3::int[])`,
    [datasetId, version, positions, tag],
  );
}
