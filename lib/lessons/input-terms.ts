import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** Longer inputs are looked at at their two ends. */
const END_LENGTH = 10_000;

const wordsSchema = z.array(z.object({ word: z.string(), count: z.int(), first: z.int(), last: z.int() }));

/** The words of a text as lessons are searched by them: their stems without the stop words, how often and where each stands, counted in words from 1. */
export async function inputTerms(
  database: Database,
  text: string,
): Promise<{ word: string; count: number; first: number; last: number }[]> {
  const ends = text.length <= 2 * END_LENGTH ? text : `${text.slice(0, END_LENGTH)} ${text.slice(-END_LENGTH)}`;
  const { rows } = await database.pool.query<{ words: unknown }>({
    name: 'input-words',
    text: `SELECT json_agg(json_build_object('word', lexeme, 'count', cardinality(positions), 'first', positions[1], 'last', positions[cardinality(positions)])) AS words
      FROM unnest(to_tsvector('english', $1::text))`,
    values: [ends.toWellFormed()],
  });
  return wordsSchema.parse(rows[0]?.words ?? []);
}
