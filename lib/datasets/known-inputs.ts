import type pg from 'pg';
import { z } from 'zod';
import { criteriaColumn } from './criteria-column.ts';

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
