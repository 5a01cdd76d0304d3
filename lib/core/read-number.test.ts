import { expect, test } from 'vitest';
import { readNumber } from './text-values.ts';

test.each<[string, string, number | null]>([
  ['a number', '42', 42],
  ['white space around', ' 42\n', 42],
  ['a decimal', '3.25', 3.25],
  ['no leading zero', 'about .5', 0.5],
  ['a minus', '-7', -7],
  ['a true minus sign', '−7', -7],
  ['a minus with a space', 'It is - 7', -7],
  ['a difference: the last number', '12-7', 7],
  ['a hyphen is no minus', 'GPT-4', 4],
  ['thousands', '1,234,567', 1234567],
  ['thousands and decimals', '1,234.5', 1234.5],
  ['a list is not thousands', '1, 2, 3', 3],
  ['money', '$1,200', 1200],
  ['negative money', '-$5', -5],
  ['percent', '85%', 85],
  ['an exponent', '6.02e23', 6.02e23],
  ['a negative exponent', '1e-3', 0.001],
  ['a full stop behind', 'The answer is 42.', 42],
  ['the last of several', '17 × 23 = 391', 391],
  ['a bracket', 'Finish[395]', 395],
  ['none', 'no number', null],
  ['empty', '', null],
  ['too large', '1e9999', null],
])('%s', (_name, text, expected) => {
  expect(readNumber(text)).toBe(expected);
});

test('parses hostile texts quickly', () => {
  const startedAt = process.threadCpuUsage();
  readNumber('1,'.repeat(200_000));
  readNumber('1'.repeat(400_000));
  readNumber(`${'1,111'.repeat(100_000)}x`);
  readNumber('$ '.repeat(200_000));
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_500);
});
