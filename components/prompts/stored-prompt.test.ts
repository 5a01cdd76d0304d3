import { expect, test } from 'vitest';
import { readStoredPrompt } from './stored-prompt.ts';

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
