import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { repeatQuery } from './find-repeat.ts';

const db = useTestDatabase();
const UNITS = 'Name the unit of every number before you compare them.';

async function queryOf(text: string): Promise<string> {
  const { rows } = await db
    .database()
    .pool.query<{ lexeme: string }>("SELECT lexeme FROM unnest(to_tsvector('english', $1))", [text]);
  return repeatQuery(
    rows.map(({ lexeme }) => lexeme),
    new Map(),
  );
}

async function finds(query: string, text: string): Promise<unknown> {
  const { rows } = await db
    .database()
    .pool.query<{ found: unknown }>("SELECT to_tsvector('english', $1) @@ $2::tsquery AS found", [text, query]);
  return rows[0]?.found;
}

test.each([
  ['no words', [], {}, ''],
  ['one word', ['unit'], {}, "('unit')"],
  ['two words, the longer one first', ['unit', 'compare'], {}, "('compare' & 'unit')"],
  ['three words, one of which may differ', ['a', 'b', 'c'], {}, "('a' & 'b') | ('a' & 'c') | ('b' & 'c')"],
  ['two words, the rarer one first', ['unit', 'compare'], { compare: 0.2, unit: 0.1 }, "('unit' & 'compare')"],
  [
    'many words without the most common',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    { a: 0.5, b: 0.1 },
    expect.not.stringContaining("'a'"),
  ],
])('builds the query for lexemes: %s', (_name, lexemes, shares, query) => {
  expect(repeatQuery(lexemes, new Map(Object.entries(shares)))).toEqual(query);
});

test.each([
  ['the same text', UNITS, true],
  ['the same text with other stop words', 'Name a unit for every number, before comparing them!', true],
  ['another lesson', 'Quote the reader’s own term before you introduce a new one.', false],
  ['a text with few shared words', 'Every number counts.', false],
])('matches only texts that share enough words: %s', async (_name, text, isFound) => {
  expect(await finds(await queryOf(UNITS), text)).toBe(isFound);
});

test.each([
  ['operators of the query language', `alpha:* & beta | (gamma <-> !delta) 'epsilon' \\zeta "eta"`, true],
  ['paths and URLs', "C:\\it's\\here /usr/o'brien https://example.com/a'b?c='d' run.py", true],
  ['very long words', 'x'.repeat(1_900), true],
  ['other scripts', 'Nenne die Größe 名前を付ける прежде чем сравнивать', true],
  ['only stop words', 'the of and before', false],
  ['empty text', '', false],
])('the query of a text matches that text: %s', async (_name, text, isFound) => {
  expect(await finds(await queryOf(text), text)).toBe(isFound);
});
