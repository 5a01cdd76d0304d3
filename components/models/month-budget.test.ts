import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useBudgetFields } from './month-budget.tsx';

test('a change of one field keeps what another owner saves in the other', async () => {
  let stored: Parameters<typeof useBudgetFields>[0] = { maxCostUsd: 5, warnAtPercent: 80 };
  const { current, act, render } = await renderHook(() => useBudgetFields(stored));
  expect(current().changes).toEqual({});
  await act(() => current().fields.warnAtPercent.setValue('60'));
  stored = { maxCostUsd: 9, warnAtPercent: 80 };
  await render();
  expect(current().changes).toEqual({ warnAtPercent: 60 });
  expect(current().fields.maxCostUsd.value).toBe('9');
  await act(() => current().fields.maxCostUsd.setValue(' '));
  expect(current().changes).toEqual({ maxCostUsd: null, warnAtPercent: 60 });
});

test('numbers that are equal to the stored ones are no change', async () => {
  const { current, act } = await renderHook(() => useBudgetFields({ maxCostUsd: 5, warnAtPercent: 80 }));
  await act(() => current().fields.maxCostUsd.setValue('5,0'));
  await act(() => current().fields.warnAtPercent.setValue(' 80 '));
  expect(current()).toMatchObject({ changes: {}, isChanged: false });
});
