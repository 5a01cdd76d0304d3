import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { searchVector, withoutRepeatedWords } from './result-records.ts';

const db = useTestDatabase();

/** Parts of texts that the parser of PostgreSQL treats in special ways. */
const PARTS = [
  ...[
    'refund',
    'Refund',
    'naïve',
    '退款',
    '🙂',
    'don’t',
    "don't",
    'follow-up',
    'end-',
    '-start',
    'snake_case',
    'a/b/c.txt',
    '/usr/lib',
  ],
  ...[
    '-3',
    '+4.5',
    '1e5',
    '1.2.3',
    '2026-11-30',
    '10:30',
    '50%',
    '$9.99',
    '#1',
    'x=1',
    '&amp;',
    '&',
    'a<b',
    '<b class="x y">',
    '</b>',
    '<!--',
    '-->',
  ],
  ...[
    'https://example.org/a?b=c&d=e#f',
    'www.example.org',
    'ann@example.org',
    '`code`',
    '**bold**',
    '{"a":',
    '[1,',
    '.',
    ',',
    '…',
    '\u00a0',
    '\u2028',
    '\v',
  ],
];

test('a text without repeated words has the same search vector', async () => {
  const texts = fc
    .sample(
      fc.array(
        fc.tuple(fc.oneof(fc.constantFrom(...PARTS), fc.string()), fc.constantFrom(' ', '\n', '\t', '', '\r\n', '  ')),
      ),
      {
        numRuns: 1_000,
        seed: 7,
      },
    )
    .map((parts) => parts.flat().join('').replaceAll('\0', ''))
    .map((text) => `${text} ${text}`);
  const { rows } = await db
    .database()
    .pool.query(
      `SELECT t.whole FROM unnest($1::text[], $2::text[]) AS t(whole, short) WHERE ${searchVector('t.whole')} <> ${searchVector('t.short')}`,
      [texts, texts.map(withoutRepeatedWords)],
    );
  expect(rows).toEqual([]);
  expect(withoutRepeatedWords('to be, or not to be: that is\nto be, then')).toBe('to be, or not be: that is\nto then');
});
