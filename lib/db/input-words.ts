import { z } from 'zod';
import type { Database } from './database.ts';

/** Longer inputs are looked at at their two ends. */
const END_LENGTH = 10_000;

const wordRows = z.array(z.object({ word: z.string(), count: z.int(), first: z.int(), last: z.int() }));

/** The words of a text as lessons are searched by them: their stems without the stop words, how often and where each stands, counted in words from 1. */
export async function inputWords(
  database: Database,
  text: string,
): Promise<{ word: string; count: number; first: number; last: number }[]> {
  const ends = text.length <= 2 * END_LENGTH ? text : `${text.slice(0, END_LENGTH)} ${text.slice(-END_LENGTH)}`;
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'input-words',
    text: `SELECT lexeme AS word, cardinality(positions) AS count, positions[1]::int AS first, positions[cardinality(positions)]::int AS last
      FROM unnest(to_tsvector('english', $1::text))`,
    values: [ends.toWellFormed()],
  });
  return wordRows.parse(rows);
}
