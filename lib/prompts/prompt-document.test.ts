import { expect, test } from 'vitest';
import { promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { isSamePrompt, NO_OPTIONS, promptDocument } from './prompt.ts';

test('a prompt document contains the text, the tools and the response schema', () => {
  const options = promptOptionsSchema.parse({
    tools: [{ name: 'refund', parameters: { type: 'object', properties: {} } }],
    responseSchema: { name: 'answer', schema: { type: 'object', properties: { label: { type: 'string' } } } },
  });
  expect(promptDocument({ text: 'Sort.', ...NO_OPTIONS })).toBe('Sort.');
  expect(promptDocument({ text: 'Sort.', ...options })).toMatch(
    /^Sort\.\n\nTools:\n[\s\S]*refund[\s\S]*Response schema:\n[\s\S]*label/,
  );
});

test('isSamePrompt compares tools and the response schema', () => {
  const options = promptOptionsSchema.parse({ tools: [{ name: 'refund', parameters: { type: 'object' } }] });
  expect(isSamePrompt({ text: 'Sort.', ...options }, { text: 'Sort.', ...NO_OPTIONS })).toBe(false);
  expect(isSamePrompt({ text: 'Sort.', ...options }, { text: 'Sort.', ...structuredClone(options) })).toBe(true);
});
