import { z } from 'zod';
import type { Database } from './database.ts';

const rows = z.array(z.object({ word: z.string(), stem: z.string() }));

/** The stems by which lessons are searched for words; stop words have none. */
export async function wordStems({ pool }: Pick<Database, 'pool'>, words: string[]): Promise<Map<string, string>> {
  const { rows: found } = await pool.query<Record<string, unknown>>(
    `SELECT word, (ts_lexize('english_stem', word))[1] AS stem FROM unnest($1::text[]) word
     WHERE cardinality(ts_lexize('english_stem', word)) > 0`,
    [words],
  );
  return new Map(rows.parse(found).map(({ word, stem }) => [word, stem]));
}
