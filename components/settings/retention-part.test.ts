import { expect, test } from 'vitest';
import { MAX_DUE_COUNT, NOTHING_PURGED } from '#lib/settings/schema.ts';
import { purgedLabel } from './retention-part.tsx';

test.each([
  [{}, ''],
  [{ callTexts: 1, runEvents: 3 }, 'the texts of 1 call and 3 events'],
  [
    { callTexts: MAX_DUE_COUNT, paidReplies: MAX_DUE_COUNT + 1 },
    'the texts of 1,000 calls and more than 1,000 stored responses',
  ],
])('%j reads “%s”', (purged, words) => {
  expect(purgedLabel({ ...NOTHING_PURGED, ...purged }, MAX_DUE_COUNT)).toBe(words);
});

test('counts the removed records', () => {
  expect(purgedLabel({ ...NOTHING_PURGED, runEvents: 2_000_000 })).toBe('2,000,000 events');
});
