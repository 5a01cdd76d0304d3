import { expect, test } from 'vitest';
import { timeLeftLabel } from './batch-progress.tsx';

test.each([
  { name: 'unknown', left: null, expected: 'time left: known once 3 have ended' },
  { name: 'a range of seconds', left: { lowestMs: 12_345, highestMs: 40_100, n: 5 }, expected: '12 s to 40 s left' },
  {
    name: 'more than a minute, in tens of seconds',
    left: { lowestMs: 58_000, highestMs: 127_000, n: 5 },
    expected: '58 s to 2 min 10 s left',
  },
  {
    name: 'more than ten minutes, in minutes',
    left: { lowestMs: 640_000, highestMs: 4_000_000, n: 9 },
    expected: '11 min to 1 h 7 min left',
  },
  { name: 'equal bounds', left: { lowestMs: 700, highestMs: 1_300, n: 50 }, expected: 'about 1.0 s left' },
  { name: 'a positive minimum', left: { lowestMs: 0, highestMs: 2_000, n: 50 }, expected: '1.0 s to 2.0 s left' },
])('labels the time left: $name', ({ left, expected }) => {
  expect(timeLeftLabel(left)).toBe(expected);
});
