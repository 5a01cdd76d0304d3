import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import { useComparedCase } from './compared-cases.tsx';

const NO_CASES: [] = [];

test('a case that could not be loaded is loaded on request', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let answer = () => Response.json({ error: { message: 'The database is not reachable.' } }, { status: 503 });
  vi.stubGlobal('fetch', async () => answer());
  const { current, act } = await renderHook(
    () => useComparedCase(['a', 'b'], 'case-1', null, NO_CASES),
    queryWrapper(client),
  );
  const settle = () => act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
  await settle();
  expect(current().state).toBe('unavailable');
  answer = () => Response.json({ caseKey: 'case-1' });
  await act(() => current().retry());
  await settle();
  expect(current().state).toBe('there');
});

test('a case that is shown again later is loaded again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let score = 0.2;
  const fetched = vi.fn(async (url: string) => Response.json({ caseKey: url.split(/[/?]/).at(-2), score }));
  vi.stubGlobal('fetch', fetched);
  let key = 'case-1';
  const { current, act, render } = await renderHook(
    () => useComparedCase(['a', 'b'], key, null, NO_CASES),
    queryWrapper(client),
  );
  const show = async (next: string) => {
    key = next;
    await render();
    await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
    return current();
  };
  expect(await show('case-1')).toMatchObject({ look: { score: 0.2 } });
  score = 0.8;
  await show('case-2');
  expect(await show('case-1')).toMatchObject({ look: { score: 0.2 } });
  vi.setSystemTime(Date.now() + 60_000);
  await show('case-2');
  expect(await show('case-1')).toMatchObject({ look: { score: 0.8 } });
});
