import { expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useTriedCriterion } from './use-tried-criterion.ts';

test.each([
  ['the user stops it', 'stop'],
  ['the page is left', 'unmount'],
] as const)('aborts the calls of a test when %s', async (_name, way) => {
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const { current, act, unmount } = await renderHook(() => useTriedCriterion(() => {}));
  const sample = { output: 'An answer', input: '', reference: '', metadata: '', earlier: '' };
  await act(() => void current().tryIt({ name: 'clear' }, sample));
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await (way === 'stop' ? act(() => current().stop()) : unmount());
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
