import { describe, expect, test } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatBytes,
  formatChange,
  formatCost,
  formatCount,
  formatDuration,
  formatElapsed,
  formatMoment,
  formatMoney,
  formatNumberOf,
  formatPercent,
  formatPercentAgainst,
  formatRunNumber,
  formatScore,
  formatScoreAgainst,
  formatSentence,
  formatTitle,
} from './format.ts';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('scores', () => {
  test.each([
    { name: 'a score with two decimals', shown: formatScore(0.7), expected: '0.70' },
    { name: 'a full score', shown: formatScore(1), expected: '1.00' },
    { name: 'a missing score as a word, never 0', shown: formatScore(null), expected: 'unscored' },
    { name: 'an increase', shown: formatChange(0.123), expected: '+0.12' },
    { name: 'a decrease with a true minus sign', shown: formatChange(-0.05), expected: '−0.05' },
    { name: 'no change', shown: formatChange(0), expected: '= 0' },
    { name: 'a change that rounds to zero', shown: formatChange(-0.004), expected: '= 0' },
    { name: 'a percentage', shown: formatPercent(0.833), expected: '83%' },
    { name: 'all', shown: formatPercent(1 - 1e-12), expected: '100%' },
    { name: 'all but one of 250', shown: formatPercent(249 / 250), expected: '>99%' },
    { name: 'one of 250', shown: formatPercent(1 / 250), expected: '<1%' },
    { name: 'none', shown: formatPercent(0), expected: '0%' },
    { name: 'more than all', shown: formatPercent(1.5), expected: '150%' },
  ])('$name: $expected', ({ shown, expected }) => {
    expect(shown).toBe(expected);
  });
});

test.each([
  { score: 0.7, threshold: 0.8, expected: ['0.70', '0.80'] },
  { score: 0.796, threshold: 0.8, expected: ['0.796', '0.800'] },
  { score: 0.806, threshold: 0.805, expected: ['0.806', '0.805'] },
  { score: 0.79999999, threshold: 0.8, expected: ['0.80', '0.80'] },
  { score: 0, threshold: 0.001, expected: ['0.000', '0.001'] },
])('formats $score against $threshold as $expected', ({ score, threshold, expected }) => {
  const shown = formatScoreAgainst(score, threshold);
  expect([shown.score, shown.threshold]).toEqual(expected);
});

test.each([
  { share: 0.896, target: 0.9, expected: '89.6%' },
  { share: 0.8996, target: 0.9, expected: '89.96%' },
  { share: 0.9048, target: 0.9, expected: '90.5%' },
  { share: 0.9, target: 0.9, expected: '90%' },
  { share: 0.53, target: 0.85, expected: '53%' },
  { share: 0.999, target: 1, expected: '99.9%' },
  { share: 0, target: 0.9, expected: '0%' },
])('formats $share against the target $target as $expected', ({ share, target, expected }) => {
  expect(formatPercentAgainst(share, target)).toBe(expected);
});

describe('money and counts', () => {
  test.each([
    { name: 'zero cost', shown: formatMoney(0), expected: '$0' },
    { name: 'a cost below the smallest unit', shown: formatMoney(0.00004), expected: '< $0.0001' },
    { name: 'the cost of a run', shown: formatMoney(0.0126), expected: '$0.0126' },
    { name: 'the cost of a batch', shown: formatMoney(0.128), expected: '$0.128' },
    { name: 'dollars', shown: formatMoney(1234.5), expected: '$1,234.50' },
    { name: 'partly unpriced', shown: formatCost(0.02, true), expected: '$0.0200 + unpriced' },
    { name: 'wholly unpriced', shown: formatCost(0, true), expected: 'no price' },
    { name: 'free', shown: formatCost(0, false), expected: '$0' },
    { name: 'thousands', shown: formatCount(7963), expected: '7,963' },
    { name: 'millions', shown: formatCount(1234567), expected: '1,234,567' },
    { name: 'a byte', shown: formatBytes(1), expected: '1 byte' },
    { name: 'bytes', shown: formatBytes(999), expected: '999 bytes' },
    { name: 'thousands of bytes', shown: formatBytes(5230), expected: '5.2 kB' },
    { name: 'almost a million bytes', shown: formatBytes(999_990), expected: '1.0 MB' },
    { name: 'hundreds of megabytes', shown: formatBytes(123_400_000), expected: '123 MB' },
    { name: 'gigabytes', shown: formatBytes(1_340_000_000), expected: '1.3 GB' },
    { name: 'thousands of terabytes', shown: formatBytes(2.5e15), expected: '2,500 TB' },
    { name: 'a singular', shown: formatNumberOf(1, 'run'), expected: '1 run' },
    { name: 'an irregular plural', shown: formatNumberOf(2, 'try', 'tries'), expected: '2 tries' },
    { name: 'run number', shown: formatRunNumber(147), expected: '0147' },
    { name: 'large run number', shown: formatRunNumber(12345), expected: '12345' },
  ])('$name: $expected', ({ shown, expected }) => {
    expect(shown).toBe(expected);
  });
});

describe('time', () => {
  test.each([
    { name: 'milliseconds', shown: formatDuration(840), expected: '840 ms' },
    { name: 'milliseconds that round to a second', shown: formatDuration(999.6), expected: '1.0 s' },
    { name: 'seconds', shown: formatDuration(5210), expected: '5.2 s' },
    { name: 'seconds that round to ten', shown: formatDuration(9960), expected: '10 s' },
    { name: 'minutes', shown: formatDuration(110_000), expected: '1 min 50 s' },
    { name: 'full minutes', shown: formatDuration(59_600), expected: '1 min' },
    { name: 'hours', shown: formatDuration(7_500_000), expected: '2 h 5 min' },
    { name: 'full hours', shown: formatDuration(3_599_700), expected: '1 h' },
    { name: 'a duration as clock time', shown: formatElapsed(7_900), expected: '0:07' },
    { name: 'a duration as clock time with hours', shown: formatElapsed(3_729_000), expected: '1:02:09' },
    { name: 'a negative duration', shown: formatElapsed(-3), expected: '0:00' },
    { name: 'just now', shown: formatAgo('2026-11-21T11:59:30.000Z', now), expected: 'now' },
    { name: 'a time in the future', shown: formatAgo('2026-11-21T12:05:00.000Z', now), expected: 'now' },
    { name: 'minutes ago', shown: formatAgo('2026-11-21T11:56:00.000Z', now), expected: '4 min ago' },
    { name: 'hours ago', shown: formatAgo('2026-11-21T04:00:00.000Z', now), expected: '8 h ago' },
    { name: 'a day ago', shown: formatAgo('2026-11-20T11:00:00.000Z', now), expected: '1 day ago' },
    { name: 'weeks ago', shown: formatAgo('2026-11-02T11:00:00.000Z', now), expected: '2 Nov 2026' },
    { name: 'an age', shown: formatAge('2026-11-19T11:00:00.000Z', now), expected: '2 days' },
    { name: 'a moment', shown: formatMoment('2026-11-20T16:42:10.000Z'), expected: '20 Nov 2026, 16:42 UTC' },
  ])('$name: $expected', ({ shown, expected }) => {
    expect(shown).toBe(expected);
  });
});

describe('titles', () => {
  test.each([
    { name: 'first non-empty line', shown: formatTitle('\n  \n How?\nmore'), expected: 'How?' },
    { name: 'truncated long line', shown: formatTitle('abcdef ghi', 8), expected: 'abcdef…' },
    { name: 'empty text', shown: formatTitle('  '), expected: '' },
  ])('$name', ({ shown, expected }) => {
    expect(shown).toBe(expected);
  });
});

test.each([
  { message: 'score must be a number', shown: 'Score must be a number' },
  { message: 'provider "x" did not respond', shown: 'Provider "x" did not respond' },
  { message: 'criteria[0].name must not be empty', shown: 'criteria[0].name must not be empty' },
  { message: 'Already a sentence.', shown: 'Already a sentence.' },
])('formats a message as a sentence: $shown', ({ message, shown }) => {
  expect(formatSentence(message)).toBe(shown);
});
