import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { prefixQuery } from './query-values.ts';

const db = useTestDatabase();
const LESSON = "Don't parse dates by hand: use parser.parse_date, and name the time-zone.";

test.each([
  ['a word', 'dates', true],
  ['its beginning', 'pars', true],
  ['its stem in another form', 'parsing dates', true],
  ['all words, in whatever order', 'zone dates', true],
  ['capitals', 'DATES', true],
  ['marks of the query language', `date:* & 'hand' | !zone`, true],
  ['a word in quotes', '"dates"', true],
  ['one word too many', 'dates unicorn', false],
  ['nothing but marks', '*** ---', false],
  ['what cannot be stored', 'dates\u0000\ud800', false],
  ['a word without end', 'd'.repeat(9_000), false],
])('%s: %j matches: %s', async (_name, typed, isFound) => {
  const { rows } = await db
    .database()
    .pool.query("SELECT to_tsvector('english', $1) @@ to_tsquery('english', $2) AS found", [
      LESSON,
      prefixQuery(typed),
    ]);
  expect(rows).toEqual([{ found: isFound }]);
});
