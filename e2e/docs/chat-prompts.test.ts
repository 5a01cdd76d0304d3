import { expect, test } from 'vitest';
import { startInputSchema } from '#lib/batches/start-batch.ts';
import { chatMessagesSchema } from '#lib/core/chat/chat-messages-schema.ts';
import { chatPromptProblems, messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { readDoc } from '#lib/docs/read-doc.ts';

const { body } = readDoc('how-to/use-chat-prompts');

function samples(language: string): string[] {
  return [...body.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text);
}

test('the prompt in the guide is a valid chat prompt', () => {
  const [prompt = ''] = samples('text');
  expect(messagesOfPrompt(prompt)?.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(chatPromptProblems(prompt)).toEqual([]);
  expect(templateVariables(prompt).filter(({ known }) => !known)).toEqual([]);
});

test('the requests in the guide parse as cases with text, messages, JSON and a file', () => {
  const [turns = '', image = ''] = samples('json').map((text) => text.replace('FILE_ID', 'a'.repeat(64)));
  const cases = startInputSchema.parse(JSON.parse(turns)).cases ?? [];
  expect(cases.map(({ messages }) => messages?.length)).toEqual([undefined, 3, undefined]);
  expect(JSON.parse(cases[2]?.input ?? '')).toEqual({ question: 'What does the plan cost?', user: { name: 'Ada' } });
  const [shown] = startInputSchema.parse(JSON.parse(image)).cases ?? [];
  expect(chatMessagesSchema.parse(shown?.messages)).toHaveLength(1);
});

test('the guide states the supported roles and the limits on messages and files', () => {
  expect(chatPromptProblems('{{role "tool"}}\nHi')).toHaveLength(1);
  expect(body).toContain('up to 200 messages');
  expect(body).toContain('up to 20 files');
});
