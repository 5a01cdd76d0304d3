import { expect, test } from 'vitest';
import { readCritique } from '#lib/core/prompts/critique-prompt.ts';
import { renameTags } from '#lib/core/prompts/quote.ts';
import { fullRewrite } from '#lib/core/revision/choose-strategy.ts';
import { candidateCode } from './python/open-python.ts';
import { readPlainResponse } from './read-judge-response.ts';

/** Texts that a model can write, and the function that reads them on the main thread. */
test.each<[string, string, (text: string) => unknown]>([
  ['an output of one long code fence', '~'.repeat(200_000), candidateCode],
  ['an output of fences with carriage returns only', '~~~\r'.repeat(100_000), candidateCode],
  ['a code fence with a long mark', `~~~${'a'.repeat(200_000)}`, candidateCode],
  [
    'a revision that begins with many empty lines',
    `\`\`\`md${'\n'.repeat(200_000)}`,
    (text) => fullRewrite.read('A draft.', text),
  ],
  [
    'an issue whose id is followed by white space only',
    JSON.stringify({ issues: [{ text: `I0${'\t\n'.repeat(100_000)}` }] }),
    (text) => readCritique(text, true),
  ],
  [
    'a list item of a judge with a line separator',
    `* ${'\t'.repeat(200_000)}*\u2028`,
    (text) => readPlainResponse(text, ['one']),
  ],
  ['messages with many opening tags in one line', '<task>'.repeat(100_000), (text) => renameTags(text, 'q1')],
  ['messages with many opening tags in their own lines', '<task>\n'.repeat(100_000), (text) => renameTags(text, 'q1')],
])('reads %s in linear time', (_name, text, read) => {
  const startedAt = process.threadCpuUsage();
  read(text);
  expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(2_000);
});
