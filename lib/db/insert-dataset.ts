import type { Case } from '#lib/reflection/case.ts';
import type { Database } from './database.ts';
import { inTransaction } from './in-transaction.ts';

/** Cases written by one statement. */
const CHUNK = 5_000;

export async function insertDataset(
  database: Database,
  dataset: { id: string; name: string; cases: Case[]; now: Date },
): Promise<void> {
  const { id, name, cases, now } = dataset;
  await inTransaction(database, async (client) => {
    await client.query('INSERT INTO datasets (id, name, case_count, created_at) VALUES ($1, $2, $3, $4)', [
      id,
      name,
      cases.length,
      now,
    ]);
    for (let start = 0; start < cases.length; start += CHUNK) {
      await client.query(
        `INSERT INTO dataset_cases (dataset_id, position, input, reference, tags, metadata)
         SELECT $1, $2 + c.ordinality - 1, c.entry->>'input', c.entry->>'reference', ARRAY(SELECT json_array_elements_text(c.entry->'tags')), (c.entry->'metadata')::jsonb
         FROM json_array_elements($3::json) WITH ORDINALITY AS c(entry, ordinality)`,
        [id, start, JSON.stringify(cases.slice(start, start + CHUNK))],
      );
    }
  });
}
