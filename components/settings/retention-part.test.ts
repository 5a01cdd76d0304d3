import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { MAX_DUE_COUNT } from '#lib/settings/purged-rows.ts';
import { NOTHING_PURGED } from '#lib/settings/schema.ts';
import { purgedLabel, useRetentionFields } from './retention-part.tsx';

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

test('a change of one field keeps what another owner saves in the others', async () => {
  const none = { callTextDays: null, runEventDays: null, webhookDeliveryDays: null, toolResultDays: null };
  let stored: Parameters<typeof useRetentionFields>[0] = none;
  const { current, act, render } = await renderHook(() => useRetentionFields(stored));
  expect(current().changes).toEqual({});
  await act(() => current().fields.callTextDays.setValue('30'));
  stored = { ...none, runEventDays: 60 };
  await render();
  expect(current().changes).toEqual({ callTextDays: 30 });
  expect(current().days).toEqual({ ...none, callTextDays: 30, runEventDays: 60 });
  await act(() => current().fields.runEventDays.setValue(' '));
  expect(current().changes).toEqual({ callTextDays: 30, runEventDays: null });
});

test('a number that is equal to the stored one is no change', async () => {
  const stored = { callTextDays: 30, runEventDays: null, webhookDeliveryDays: null, toolResultDays: null };
  const { current, act } = await renderHook(() => useRetentionFields(stored));
  await act(() => current().fields.callTextDays.setValue('030'));
  await act(() => current().fields.runEventDays.setValue(' '));
  expect(current()).toMatchObject({ days: stored, changes: {}, isChanged: false });
});
