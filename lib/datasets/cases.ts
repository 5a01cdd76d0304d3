import { createHash } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { criteriaColumn } from './queries.ts';

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

const heldOutRow = z.object({ input: z.string(), name: z.string() });
const storedRow = z.object({
  position: z.int(),
  input: z.string(),
  reference: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

type Queryable = Pick<pg.PoolClient, 'query'>;

/** Which of these inputs are held out in another dataset than `datasetId`, and the names of these datasets. */
export async function inputsHeldOutElsewhere(
  client: Queryable,
  inputs: readonly string[],
  datasetId: string | null,
): Promise<z.infer<typeof heldOutRow>[]> {
  const { rows } = await client.query(
    `SELECT DISTINCT c.input, d.name FROM dataset_cases c JOIN datasets d ON d.id = c.dataset_id
     WHERE c.input_key IN (SELECT md5(i) FROM unnest($1::text[]) i) AND c.ended IS NULL
       AND c.tags && ARRAY['held_out', 'held-out'] AND c.dataset_id IS DISTINCT FROM $2::uuid`,
    [inputs, datasetId],
  );
  return z.array(heldOutRow).parse(rows);
}

/** The stored cases of a dataset that have one of these inputs. */
export async function casesWithInputs(
  client: Queryable,
  inputs: readonly string[],
  datasetId: string,
): Promise<z.infer<typeof storedRow>[]> {
  const { rows } = await client.query(
    `SELECT position, input, reference, metadata, criteria FROM dataset_cases
     WHERE input_key IN (SELECT md5(i) FROM unnest($1::text[]) i) AND dataset_id = $2 AND ended IS NULL`,
    [inputs, datasetId],
  );
  return z.array(storedRow).parse(rows);
}

/**
 * Says which cases are the same: those with the same input, reference and metadata, and the same criteria of
 * their own, whatever their tags.
 */
export function caseFingerprint({ input, reference, metadata, criteria }: Omit<Case, 'tags'>): string {
  const text = JSON.stringify([input, reference, sorted(metadata), ...(criteria ? [sorted(criteria)] : [])]);
  return createHash('md5').update(text).digest('base64');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, member]) => [key, sorted(member)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
