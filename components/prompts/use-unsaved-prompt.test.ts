import { expect, test, vi } from 'vitest';
import { renderHook } from '#components/testing/render-hook.test-support.ts';
import { readStoredPrompt, useUnsavedPrompt } from './use-unsaved-prompt.ts';

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

const TOOL = { key: 0, name: 'search', description: '', parameters: '{"type":' };
const PROMPT = { text: 'Sort {{input}}', options: { tools: [TOOL], responseSchema: { name: 'answer', schema: '{' } } };

test('reads a prompt with JSON that is not complete', () => {
  expect(readStoredPrompt(JSON.stringify(PROMPT))).toEqual(PROMPT);
});

test.each([
  ['nothing is stored', null],
  ['the text is no JSON', '{"text":'],
  ['it is no object', '"text"'],
  ['the options are missing', JSON.stringify({ text: 'Sort' })],
  ['the text is no text', JSON.stringify({ ...PROMPT, text: 7 })],
  ['a tool has no key', JSON.stringify({ ...PROMPT, options: { ...PROMPT.options, tools: [{ ...TOOL, key: null }] } })],
  ['the response schema is missing', JSON.stringify({ ...PROMPT, options: { tools: [] } })],
])('returns null if %s', (_name, stored) => {
  expect(readStoredPrompt(stored)).toBeNull();
});
