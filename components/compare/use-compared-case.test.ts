import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
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
