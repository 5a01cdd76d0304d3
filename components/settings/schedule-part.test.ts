import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useScheduleFields } from './schedule-part.tsx';

test('a change of one field keeps what another owner saves in the other', async () => {
  let stored: Parameters<typeof useScheduleFields>[0] = { everyDays: 1, kept: 7 };
  const { current, act, render } = await renderHook(() => useScheduleFields(stored));
  expect(current().changes).toEqual({});
  await act(() => current().fields.kept.setValue('30'));
  stored = { everyDays: 7, kept: 7 };
  await render();
  expect(current().changes).toEqual({ kept: 30 });
  expect(current().fields.everyDays.value).toBe('7');
  await act(() => current().fields.everyDays.setValue(''));
  expect(current().changes).toEqual({ everyDays: null, kept: 30 });
});

test('a number that is equal to the stored one is no change', async () => {
  const { current, act } = await renderHook(() => useScheduleFields({ everyDays: 1, kept: 7 }));
  await act(() => current().fields.kept.setValue(' 07 '));
  expect(current()).toMatchObject({ changes: {}, isChanged: false });
});
