import { expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { useUnsavedPrompt } from './use-unsaved-prompt.ts';

test.each([
  ['valid', '{"type":"object"}'],
  ['not complete', '{"type":'],
])('keeps two edits before the next render, with JSON that is %s', async (_name, schema) => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  const { current, act, unmount } = await renderHook(useUnsavedPrompt);
  const options = { tools: [], responseSchema: { name: 'answer', schema } };
  await act(() => {
    const { edit } = current();
    edit({ text: 'Sort {{input}}' });
    edit({ options });
  });
  expect(current().edited).toEqual({ text: 'Sort {{input}}', options });
  await unmount();
  // It is there before it could be edited, because an edit replaces it.
  const { current: reopened } = await renderHook(useUnsavedPrompt);
  expect(reopened().edited).toEqual({ text: 'Sort {{input}}', options });
});
