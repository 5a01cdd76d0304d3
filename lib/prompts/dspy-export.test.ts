import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { withExamples } from '#lib/core/prompts/worked-examples.ts';
import { dspyComponents, dspySignature, writeDspyProgram } from './dspy-export.ts';

/** Output of dspy 3.4.1 after loading and saving these programs. */
const LOADED = JSON.parse(
  readFileSync(new URL('prompt-files/recorded/dspy-3.4.1-loaded.json', import.meta.url), 'utf8'),
) as Record<string, object>;

const EXAMPLE = { input: 'My card was charged twice.', due_tone: 'angry', output: 'billing' };
const PROMPT = withExamples('Sort the mail by what it is about.\n\nTone: {{metadata.due_tone}}\nMail: {{input}}', [
  EXAMPLE,
]);
const COMPONENTS = '{{component "planner"}}\nPlan the answer.\n{{component "writer"}}\nWrite the answer to {{input}}.';

describe('writeDspyProgram', () => {
  test.each([
    ['predict', PROMPT, 'predict'],
    ['chain_of_thought', PROMPT, 'chain_of_thought'],
    ['components', COMPONENTS, 'predict'],
  ] as const)('writes a program that DSPy loads and saves unchanged: %s', (recorded, text, module) => {
    const metadata = { dependency_versions: {} };
    expect(writeDspyProgram(text, module)).toEqual({ ...LOADED[recorded], metadata });
  });

  test('turns message pairs of a chat prompt into demos and skips variable-only messages', () => {
    const chat =
      '{{role "system"}}\nSort it.\n{{role "user"}}\nIt crashes.\n{{role "assistant"}}\nbug\n{{role "user"}}\n{{input}}';
    expect(writeDspyProgram(chat, 'predict')).toMatchObject({
      signature: {
        instructions: 'Sort it.',
        fields: [{ description: '$' + '{input}' }, { description: '$' + '{output}' }],
      },
      demos: [{ input: 'It crashes.', output: 'bug' }],
    });
  });
});

test('renames a component named metadata because the file has its own metadata', () => {
  const text = '{{component "metadata"}}\nRead {{input}}.\n{{component "metadata_2"}}\nWrite it.';
  expect([...dspyComponents(text).keys()]).toEqual(['metadata_3', 'metadata_2']);
  expect(writeDspyProgram(text, 'predict')).toMatchObject({
    metadata_3: { signature: { instructions: 'Read `input`.' } },
    metadata_2: { signature: { instructions: 'Write it.' } },
    metadata: { dependency_versions: {} },
  });
});

test('a message pair is not a demo if the response contains a variable', () => {
  const chat = '{{role "user"}}\nIt crashes.\n{{role "assistant"}}\n{{metadata.label}}\n{{role "user"}}\n{{input}}';
  expect(writeDspyProgram(chat, 'predict')).toMatchObject({
    signature: { instructions: expect.stringContaining('It crashes.') },
    demos: [],
  });
});

test.each([
  ['predict', { input: 'a', reasoning_2: 'b', output: 'c' }],
  ['chain_of_thought', { input: 'a', reasoning: 'b', output: 'c' }],
] as const)('demo outputs keep their names if variables have the same names: %s', (module, demo) => {
  const prompt = withExamples('{{metadata.output}} {{metadata.reasoning}}\n\n{{input}}', [
    { input: 'a', reasoning: 'b', output: 'c' },
  ]);
  const program = writeDspyProgram(prompt, module);
  expect(module === 'predict' ? program : program.predict).toMatchObject({ demos: [demo] });
});

test.each([
  ['Sort the mail.', 'input -> output'],
  ['{{metadata.class}} {{metadata.from}}', 'field_class, field_from -> output'],
  ['{{metadata.tone}} {{input.user.name}}', 'tone, input_user_name -> output'],
  ['{{role "system"}}\nBe {{metadata.tone}}.', 'tone, input -> output'],
  ['{{role "system"}}\nBe {{metadata.tone}}.\n{{role "user"}}\n{{input.name}}', 'tone, input_name -> output'],
  [
    '{{metadata.output}} {{metadata.1st}} {{metadata.input}} {{input}}',
    'output_2, field_1st, input, input_2 -> output',
  ],
])('%s has the signature %s', (text, signature) => {
  expect(dspySignature(text)).toBe(signature);
});
