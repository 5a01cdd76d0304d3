import { expect, test } from 'vitest';
import { NO_OPTIONS, promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { promptDocument } from './prompt-document.ts';

test('a prompt as a document has its text, then its tools and its response schema', () => {
  const options = promptOptionsSchema.parse({
    tools: [{ name: 'refund', parameters: { type: 'object', properties: {} } }],
    responseSchema: { name: 'answer', schema: { type: 'object', properties: { label: { type: 'string' } } } },
  });
  expect(promptDocument({ text: 'Sort.', ...NO_OPTIONS })).toBe('Sort.');
  expect(promptDocument({ text: 'Sort.', ...options })).toMatch(
    /^Sort\.\n\nTools:\n[\s\S]*refund[\s\S]*Response schema:\n[\s\S]*label/,
  );
});
