import { expect, test } from 'vitest';
import { readDayRange } from './schema.ts';

test.each([
  ['no dates', null, null, null, null],
  ['only the first day', '2026-11-01', null, '2026-11-01T00:00:00.000Z', null],
  ['only the last day, up to its end', null, '2026-11-30', null, '2026-12-01T00:00:00.000Z'],
  ['a single day', '2024-02-29', '2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['the last possible day', null, '2999-12-31', null, '3000-01-01T00:00:00.000Z'],
])('parses %s', (_name, first, last, from, to) => {
  const read = readDayRange(first, last);
  expect(read.ok && [read.range.from?.toISOString() ?? null, read.range.to?.toISOString() ?? null]).toEqual([from, to]);
});

test.each([
  ['a day that does not exist', '2026-02-30', null, ['from']],
  ['another date format', '1.11.2026', null, ['from']],
  ['a date with a time', '2026-11-01T10:00:00Z', null, ['from']],
  ['a year outside the database’s range', null, '275760-09-13', ['to']],
  ['two invalid days', 'a', '2026-13-01', ['from', 'to']],
  ['a last day before the first', '2026-11-02', '2026-11-01', ['to']],
])('rejects %s with an error at its field', (_name, first, last, fields) => {
  const read = readDayRange(first, last);
  const problems = read.ok ? [] : Object.entries(read.problems).filter(([, problem]) => problem !== null);
  expect(problems.map(([field]) => field)).toEqual(fields);
});
