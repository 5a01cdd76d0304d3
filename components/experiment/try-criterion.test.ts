import { describe, expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { NO_SAMPLE, readSample, useTriedCriterion } from './try-criterion.tsx';

describe('readSample', () => {
  test.each([
    {
      name: 'an empty sample',
      sample: {},
      sent: { earlier: null, case: { input: '', reference: null, metadata: {} } },
    },
    {
      name: 'a complete sample',
      sample: { output: 'o', input: 'i', reference: 'r', metadata: ' {"a": [1]} ', earlier: 'e' },
      sent: { output: 'o', earlier: 'e', case: { input: 'i', reference: 'r', metadata: { a: [1] } } },
    },
  ])('$name', ({ sample, sent }) => {
    expect(readSample({ ...NO_SAMPLE, ...sample })).toMatchObject({ ok: true, value: sent });
  });

  test.each(['{', '[1]', '7', 'null', '"text"'])('rejects the metadata %s under its field', (metadata) => {
    expect(readSample({ ...NO_SAMPLE, metadata })).toMatchObject({ ok: false, problem: { field: 'case.metadata' } });
  });
});

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
