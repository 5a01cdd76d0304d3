import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryWrapper, renderHook } from '#components/testing/render-hook.test-support.ts';
import { usePromptVersion } from './use-prompt-version.ts';

const NO_OPTIONS = { tools: [], responseSchema: null };

test('loads a version once, and again for a new prompt with the name of a deleted one', async () => {
  const client = new QueryClient();
  onTestFinished(() => client.clear());
  const texts = ['old', 'new'];
  const fetch = vi.fn(async () => Response.json({ text: texts.shift(), ...NO_OPTIONS }));
  vi.stubGlobal('fetch', fetch);
  const open = async (createdAt: string) => {
    const { current, act, unmount } = await renderHook(
      () => usePromptVersion({ name: 'tickets', createdAt }, [{ number: 3, text: 'known', ...NO_OPTIONS }], 2),
      queryWrapper(client),
    );
    vi.stubGlobal('fetch', fetch);
    await act(() => vi.waitFor(() => expect(client.isFetching()).toBe(0)));
    const text = current()?.text;
    await unmount();
    return text;
  };
  expect(await open('2026-01-01T00:00:00.000Z')).toBe('old');
  expect(await open('2026-01-01T00:00:00.000Z')).toBe('old');
  expect(await open('2026-01-01T00:05:00.000Z')).toBe('new');
  expect(fetch).toHaveBeenCalledTimes(2);
});
