import { describe, expect, test } from 'vitest';
import { exampleProblem, takeExamples, withExamples } from './worked-examples.ts';

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
      'before the paragraph that contains the case',
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

  test('leaves the prompt unchanged without examples', () => {
    expect(withExamples('Sort: {{input}}\n\n', [])).toBe('Sort: {{input}}\n\n');
  });

  test('appends to existing examples, and takeExamples removes all', () => {
    const prompt = withExamples(withExamples('Sort it.\n\nMail: {{input}}', [ONE]), [TWO]);
    expect(takeExamples(prompt)).toEqual({ text: 'Sort it.\n\nMail: {{input}}', examples: [ONE, TWO] });
  });
});

describe('text written by a person is unchanged', () => {
  const own = '<examples>\n<example>\nInput: a\nOutput: b\n</example>\n</examples>';

  test('blank lines', () => {
    expect(withExamples('Sort it.\n\n\n\nBe brief.\n\n\nMail: {{input}}\n', [ONE])).toBe(
      `Sort it.\n\n\n\nBe brief.\n\n\n${BLOCK}\n\nMail: {{input}}\n`,
    );
  });

  test.each([
    ['in another format', own],
    ['with text between the fields', BLOCK.replace('</input>', '</input>\nbecomes')],
    ['with an attribute', BLOCK.replace('<example>', '<example id="1">')],
    ['with a repeated field', BLOCK.replaceAll('output>', 'input>')],
  ])('examples %s', (_name, written) => {
    const prompt = `Sort it.\n\n${written}`;
    expect(takeExamples(prompt)).toEqual({ text: prompt, examples: [] });
    const added = withExamples(prompt, [ONE]);
    expect(added).toBe(`${prompt}\n\n${BLOCK}`);
    expect(takeExamples(withExamples(added, [TWO])).examples).toEqual([ONE, TWO]);
  });
});

test.each([
  ['unclosed examples', BLOCK.replace('</examples>', '').replace(/<example>[\s\S]*<\/example>\n/, '$&'.repeat(40))],
  ['unclosed fields', `<examples>\n<example>\n${'<a>\n'.repeat(50_000)}</example>\n</examples>`],
  ['opening tags without an end', '<examples>\n'.repeat(50_000)],
  ['closing tags without a start', '</examples>'.repeat(50_000)],
])('%s are parsed quickly', { timeout: 2_000 }, (_name, text) => {
  expect(takeExamples(text)).toEqual({ text, examples: [] });
});

test.each([
  ['plain text', ONE, true],
  ['several paragraphs', TWO, true],
  ['a variable', { ...ONE, input: '{{input}}' }, false],
  ['a role line', { ...ONE, output: '{{role "system"}}' }, false],
  ['a tag named like one of its fields', { ...ONE, output: '</output>' }, false],
  ['a tag named like examples', { ...ONE, output: '</example>' }, false],
  ['other tags', { ...ONE, output: '<b>bold</b>' }, true],
  ['a name that is not a valid tag', { 'a b': 'x' }, false],
  ['no fields', {}, false],
])('an example with %s', (_name, example, can) => {
  expect(exampleProblem(example) === null).toBe(can);
});
