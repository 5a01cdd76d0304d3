import { expect, test } from 'vitest';
import { retryAfterMs } from './guarded-fetch.ts';

const NOW_MS = Date.parse('2026-05-04T10:00:00Z');

test.each<[string, Record<string, string> | undefined, number | null]>([
  ['no headers', undefined, null],
  ['another header', {}, null],
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['fractional seconds', { 'retry-after': '0.5' }, 500],
  ['zero', { 'retry-after': '0' }, 0],
  ['a date in the future', { 'retry-after': 'Mon, 04 May 2026 10:02:00 GMT' }, 120_000],
  ['a date in the past', { 'retry-after': 'Mon, 04 May 2026 09:00:00 GMT' }, 0],
  ['milliseconds take precedence', { 'retry-after': '7', 'retry-after-ms': '250' }, 250],
  ['a negative number', { 'retry-after': '-5' }, null],
  ['words', { 'retry-after': 'soon' }, null],
  ['empty', { 'retry-after': '' }, null],
])('%s', (_name, headers, expected) => {
  expect(retryAfterMs(headers, NOW_MS)).toBe(expected);
});
