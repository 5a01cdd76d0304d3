import type pg from 'pg';
import type { Case } from '#lib/core/case.ts';
import { storableJson } from '#lib/database/clean-text.ts';

/** Stores new cases of a dataset at positions from `position` on (from 0), as part of its version `since`. */
export async function insertCases(
  client: pg.PoolClient,
  { datasetId, position, since, cases }: { datasetId: string; position: number; since: number; cases: readonly Case[] },
): Promise<void> {
  await client.query(
    `INSERT INTO dataset_cases (dataset_id, position, since, input, reference, tags, metadata, criteria)
     SELECT $1, $2 + c.ordinality - 1, $3, c.entry->>'input', c.entry->>'reference', ARRAY(SELECT json_array_elements_text(c.entry->'tags')), (c.entry->'metadata')::jsonb, nullif((c.entry->'criteria')::jsonb, 'null')
     FROM json_array_elements($4::json) WITH ORDINALITY AS c(entry, ordinality)`,
    [datasetId, position, since, storableJson(cases)],
  );
}
