import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { MIN_CHANGED_CASES } from '#lib/core/tuning/paired-evidence.ts';
import { countSplits, shareToHoldOut } from './split-counts.tsx';

const UNTAGGED = { train: 0, validation: 0, held_out: 0 };

const { tune: TUNE } = settingsOf();

test('the suggested share holds out just enough cases to confirm a gain', () => {
  const few = Array.from({ length: 49 }, (_count, at) => 12 + at);
  for (const caseCount of [...few, 100, 137, 600, 1_000, 1_999, 2_000]) {
    const cases = { caseCount, tagged: UNTAGGED };
    const counts = countSplits({ ...TUNE, heldOutShare: shareToHoldOut(TUNE, cases) ?? 0 }, cases);
    expect([caseCount, counts.held_out]).toEqual([caseCount, MIN_CHANGED_CASES]);
    expect(counts.train).toBeGreaterThanOrEqual(3);
  }
});

test.each([
  { name: 'for too few cases', cases: { caseCount: 11, tagged: UNTAGGED } },
  { name: 'if all cases are tagged', cases: { caseCount: 20, tagged: { train: 10, validation: 10, held_out: 0 } } },
  { name: 'if tags leave too few', cases: { caseCount: 20, tagged: { train: 10, validation: 5, held_out: 0 } } },
])('suggests no share $name', ({ cases }) => {
  expect(shareToHoldOut(TUNE, cases)).toBeNull();
});

test('cases tagged held_out count towards the suggested share', () => {
  const cases = { caseCount: 20, tagged: { train: 10, validation: 0, held_out: 2 } };
  expect(countSplits({ ...TUNE, heldOutShare: shareToHoldOut(TUNE, cases) ?? 0 }, cases).held_out).toBe(
    MIN_CHANGED_CASES,
  );
});

test('dataset tags take precedence over shares', () => {
  const { tune } = settingsOf({ tune: { heldOutShare: 0.5 } });
  const counts = countSplits(tune, { caseCount: 8, tagged: { ...UNTAGGED, held_out: 6 } });
  expect(counts.held_out).toBe(6);
});
