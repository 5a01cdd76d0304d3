import { expect, test } from 'vitest';
import { readDayRange } from './schema.ts';

test.each([
  ['nothing', null, null, null, null],
  ['the first day alone', '2026-11-01', null, '2026-11-01T00:00:00.000Z', null],
  ['the last day, whole', null, '2026-11-30', null, '2026-12-01T00:00:00.000Z'],
  ['one day', '2024-02-29', '2024-02-29', '2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
  ['the last day there is', null, '2999-12-31', null, '3000-01-01T00:00:00.000Z'],
])('parses %s', (_name, first, last, from, to) => {
  const read = readDayRange(first, last);
  expect(read.ok && [read.range.from?.toISOString() ?? null, read.range.to?.toISOString() ?? null]).toEqual([from, to]);
});

test.each([
  ['no day of the calendar', '2026-02-30', null, ['from']],
  ['another way of writing', '1.11.2026', null, ['from']],
  ['a time', '2026-11-01T10:00:00Z', null, ['from']],
  ['a year that no database holds', null, '275760-09-13', ['to']],
  ['two that are none', 'a', '2026-13-01', ['from', 'to']],
  ['the last before the first', '2026-11-02', '2026-11-01', ['to']],
])('rejects %s with an error at its field', (_name, first, last, fields) => {
  const read = readDayRange(first, last);
  const problems = read.ok ? [] : Object.entries(read.problems).filter(([, problem]) => problem !== null);
  expect(problems.map(([field]) => field)).toEqual(fields);
});
