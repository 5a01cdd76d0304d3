import { describe, expect, test } from 'vitest';
import { canBeExample, takeExamples, withExamples } from './worked-examples.ts';

const ONE = { input: 'My card was charged twice.', output: 'billing' };
const TWO = { input: 'It crashes.\n\nAlways.', output: 'bug' };
const BLOCK = `<examples>
<example>
<input>
My card was charged twice.
</input>
<output>
billing
</output>
</example>
</examples>`;

describe('withExamples', () => {
  test.each([
    ['at the end', 'Sort the mail.', `Sort the mail.\n\n${BLOCK}`],
    [
      'before the paragraph that fills in the case',
      'Sort it.\n\nMail: {{input}}',
      `Sort it.\n\n${BLOCK}\n\nMail: {{input}}`,
    ],
    ['at the end of a single paragraph', 'Sort: {{input}}', `Sort: {{input}}\n\n${BLOCK}`],
    [
      'in the first message of a chat prompt',
      '{{role "system"}}\nSort it.\n\n{{role "user"}}\n{{input}}',
      `{{role "system"}}\nSort it.\n\n${BLOCK}\n\n{{role "user"}}\n{{input}}`,
    ],
  ])('%s', (_name, prompt, expected) => {
    expect(withExamples(prompt, [ONE])).toBe(expected);
  });

  test('none leave the prompt as it is', () => {
    expect(withExamples('Sort: {{input}}\n\n', [])).toBe('Sort: {{input}}\n\n');
  });

  test('more follow those that are there, and all can be taken out again', () => {
    const prompt = withExamples(withExamples('Sort it.\n\nMail: {{input}}', [ONE]), [TWO]);
    expect(takeExamples(prompt)).toEqual({ text: 'Sort it.\n\nMail: {{input}}', examples: [ONE, TWO] });
  });
});

test.each([
  ['plain text', ONE, true],
  ['several paragraphs', TWO, true],
  ['a variable', { ...ONE, input: '{{input}}' }, false],
  ['a role line', { ...ONE, output: '{{role "system"}}' }, false],
  ['a tag of its fields', { ...ONE, output: '</output>' }, false],
  ['a tag of examples', { ...ONE, output: '</example>' }, false],
  ['other tags', { ...ONE, output: '<b>bold</b>' }, true],
  ['a name that is no tag', { 'a b': 'x' }, false],
])('an example with %s', (_name, example, can) => {
  expect(canBeExample(example)).toBe(can);
});
