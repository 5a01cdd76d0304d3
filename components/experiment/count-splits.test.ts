import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { FEWEST_CHANGED } from '#lib/core/tuning/paired-evidence.ts';
import { countSplits, shareToHoldOut } from './count-splits.ts';

const UNTAGGED = { train: 0, validation: 0, held_out: 0 };

test('the offered share holds out just enough cases to confirm a gain', () => {
  for (let caseCount = 12; caseCount <= 60; caseCount++) {
    const { tune } = settingsOf({ tune: { heldOutShare: shareToHoldOut(caseCount) ?? 0 } });
    const counts = countSplits(tune, { caseCount, tagged: UNTAGGED });
    expect([caseCount, counts.held_out]).toEqual([caseCount, FEWEST_CHANGED]);
    expect(counts.train).toBeGreaterThanOrEqual(3);
  }
});

test('no share is offered for too few cases', () => {
  expect(shareToHoldOut(11)).toBeNull();
});

test('tags of a dataset come before the shares', () => {
  const { tune } = settingsOf({ tune: { heldOutShare: 0.5 } });
  const counts = countSplits(tune, { caseCount: 8, tagged: { ...UNTAGGED, held_out: 6 } });
  expect(counts.held_out).toBe(6);
});
