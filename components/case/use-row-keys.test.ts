import { expect, test } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useRowKeys } from './use-row-keys.ts';

test('rows keep their keys when an earlier row is removed and others are added', async () => {
  let count = 3;
  const { current, act } = await renderHook(() => useRowKeys(count));
  const [first, second, third] = current().keys;
  expect(new Set([first, second, third]).size).toBe(3);
  await act(() => {
    count = 2;
    current().remove(0);
  });
  expect(current().keys).toEqual([second, third]);
  await act(() => {
    count = 1;
    current().remove(0);
  });
  expect(current().keys).toEqual([third]);
});

test('keys are unique after each change of the number of rows', async () => {
  let count = 1;
  const { current, act } = await renderHook(() => useRowKeys(count));
  for (const [next, index] of [
    [3, 1],
    [5, 0],
    [1, 0],
    [4, 2],
  ] as const) {
    await act(() => {
      count = next;
      current().remove(index);
    });
    expect(current().keys).toHaveLength(next);
    expect(new Set(current().keys).size).toBe(next);
  }
});
