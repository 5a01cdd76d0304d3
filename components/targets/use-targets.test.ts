import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import { useConnectedTargets, useTargets } from './use-targets.ts';

const NO_TARGETS: [] = [];
const NO_NAMES: [] = [];

test.each([
  ['list', () => useTargets(NO_TARGETS).map(({ name }) => name)],
  ['connections', () => useConnectedTargets(NO_NAMES)],
])('an error of a check does not change the %s of targets', async (_name, hook) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let answer = () => Response.json({ items: [{ name: 'my-app', workers: [{}] }] });
  vi.stubGlobal('fetch', async () => answer());
  const { current, act } = await renderHook(hook, queryWrapper(client));
  await act(() => client.refetchQueries());
  expect(current()).toEqual(['my-app']);
  answer = () => Response.json({ error: { message: 'The database is not reachable.' } }, { status: 503 });
  await act(() => client.refetchQueries());
  expect(current()).toEqual(['my-app']);
});
