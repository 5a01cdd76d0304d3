import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { prefixQuery } from './query-values.ts';

const db = useTestDatabase();
const LESSON = "Don't parse dates by hand: use parser.parse_date, and name the time-zone.";

test.each([
  ['a word', 'dates', true],
  ['a prefix', 'pars', true],
  ['another form of its stem', 'parsing dates', true],
  ['all words in any order', 'zone dates', true],
  ['upper case', 'DATES', true],
  ['operators of the query language', `date:* & 'hand' | !zone`, true],
  ['a word in quotes', '"dates"', true],
  ['one word that does not occur', 'dates unicorn', false],
  ['only operators', '*** ---', false],
  ['characters that cannot be stored', 'dates\u0000\ud800', false],
  ['a very long word', 'd'.repeat(9_000), false],
])('%s: %j matches: %s', async (_name, typed, isFound) => {
  const { rows } = await db
    .database()
    .pool.query("SELECT to_tsvector('english', $1) @@ to_tsquery('english', $2) AS found", [
      LESSON,
      prefixQuery(typed),
    ]);
  expect(rows).toEqual([{ found: isFound }]);
});
