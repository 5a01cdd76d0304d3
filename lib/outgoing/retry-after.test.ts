import { expect, test } from 'vitest';
import { retryAfterMs } from './guarded-fetch.ts';

const NOW_MS = Date.parse('2026-05-04T10:00:00Z');

test.each<[string, Record<string, string> | undefined, number | null]>([
  ['no headers', undefined, null],
  ['no such header', {}, null],
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['part seconds', { 'retry-after': '0.5' }, 500],
  ['nought', { 'retry-after': '0' }, 0],
  ['a date ahead', { 'retry-after': 'Mon, 04 May 2026 10:02:00 GMT' }, 120_000],
  ['a date that has passed', { 'retry-after': 'Mon, 04 May 2026 09:00:00 GMT' }, 0],
  ['milliseconds come first', { 'retry-after': '7', 'retry-after-ms': '250' }, 250],
  ['a negative number', { 'retry-after': '-5' }, null],
  ['words', { 'retry-after': 'soon' }, null],
  ['empty', { 'retry-after': '' }, null],
])('%s', (_name, headers, expected) => {
  expect(retryAfterMs(headers, NOW_MS)).toBe(expected);
});
