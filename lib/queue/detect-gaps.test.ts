import { afterEach, expect, test, vi } from 'vitest';
import { detectGaps } from './detect-gaps.ts';

afterEach(() => void vi.useRealTimers());

test('gives other processes time after a gap, and none for late checks or a clock set back', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const check = detectGaps();
  const isAfterGap = (afterMs: number) => {
    vi.setSystemTime(Date.now() + afterMs);
    return check(3_000);
  };
  expect([0, 3_000, 12_000, 1_000].map(isAfterGap)).toEqual([false, false, false, false]);
  expect([60_000, 3_000, 6_000, 3_000, 3_000].map(isAfterGap)).toEqual([true, true, true, false, false]);
  expect([60_000, -3_600_000, 3_000].map(isAfterGap)).toEqual([true, false, false]);
});
