import { onlineManager, useQuery } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import { createQueryClient } from './create-query-client.ts';

test('sends requests while the browser is offline, because Hone may run on this computer', async () => {
  onTestFinished(() => onlineManager.setOnline(true));
  onlineManager.setOnline(false);
  const client = createQueryClient();
  onTestFinished(() => client.clear());
  const queryFn = vi.fn(async () => 'answer');
  const { act } = await renderHook(() => useQuery({ queryKey: ['any'], queryFn }), queryWrapper(client));
  await act(() => {});
  expect(queryFn).toHaveBeenCalledOnce();
  expect(await client.fetchQuery({ queryKey: ['other'], queryFn })).toBe('answer');
  await act(() => onlineManager.setOnline(true));
  expect(queryFn).toHaveBeenCalledTimes(3);
});
