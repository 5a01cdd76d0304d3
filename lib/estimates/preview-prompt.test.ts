import { describe, expect, test } from 'vitest';
import { MODEL_ROLES } from '#lib/core/model-roles.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { builtInPrompt, previewPrompt } from './preview-prompt.ts';

const task = { input: 'Explain paging.', reference: 'SECRET', tags: [], metadata: { tone: 'dry' } };
const settings = settingsSchema.parse({
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1', instructions: 'Write well.' },
  criteria: [
    { name: 'clarity', evaluator: 'llm' },
    { name: 'answer', evaluator: 'reference', config: { match: 'exact' } },
  ],
});

describe.each(MODEL_ROLES)('prompt of role %s', (role) => {
  test('shows the task, but never the reference', () => {
    const { instructions, prompt } = previewPrompt(settings, role, task);
    expect(prompt).toContain('Explain paging.');
    expect(instructions + prompt).not.toContain('SECRET');
  });

  test('is unchanged if the built-in text is set as the custom prompt', () => {
    const own = { ...settings, prompts: { ...settings.prompts, [role]: builtInPrompt(settings, role) } };
    expect(previewPrompt(own, role, task)).toEqual(previewPrompt(settings, role, task));
  });

  test('holds the text that replaces it, filled in from the case', () => {
    const own = { ...settings, prompts: { ...settings.prompts, [role]: 'Be {{metadata.tone}}: {{input}}' } };
    const { instructions, prompt } = previewPrompt(own, role, task);
    expect(role === 'generate' ? prompt : instructions).toContain(
      role === 'evaluate'
        ? 'Be <case_metadata>dry</case_metadata>: <case_input>Explain paging.</case_input>'
        : 'Be dry: Explain paging.',
    );
  });
});

test('the built-in text of a role does not depend on the instructions', () => {
  const without = { ...settings, generator: { ...settings.generator, instructions: '' } };
  for (const role of MODEL_ROLES) expect(builtInPrompt(settings, role)).toBe(builtInPrompt(without, role));
});

test.each([
  ['targeted_edit', '<find>'],
  ['incremental', '<add after="3">'],
] as const)('shows the output format of a revision by %s', (strategy, form) => {
  const own = { ...settings, structuredReflection: false, revision: { ...settings.revision, strategy } };
  expect(previewPrompt(own, 'revise', task).prompt).toContain(form);
  expect(previewPrompt(settings, 'revise', task).prompt).not.toContain(form);
});

test.each([
  { name: 'if the library is used', lessons: {}, shown: true },
  {
    name: 'if lessons are pinned',
    lessons: { store: 'none' as const, pinned: ['11111111-1111-4111-8111-111111111111'] },
    shown: true,
  },
  { name: 'not if the library is not used', lessons: { store: 'none' as const }, shown: false },
])('shows recalled lessons $name', ({ lessons, shown }) => {
  const own = { ...settings, lessons: { ...settings.lessons, ...lessons } };
  for (const role of MODEL_ROLES) {
    const isMade = role === 'generate' || role === 'revise';
    expect(previewPrompt(own, role, task).prompt.includes('<recalled_lessons>')).toBe(shown && isMade);
  }
});

describe('tuned prompt', () => {
  const tuned = { ...settings, mode: 'tune' as const, prompts: { ...settings.prompts, generate: 'Sort: {{input}}' } };

  test('shows the prompt and a tried case to the reflection, whose instructions can be replaced', () => {
    const { prompt } = previewPrompt(tuned, 'reflect', task);
    expect(prompt).toContain('<current_prompt>\nSort: {{input}}\n</current_prompt>');
    expect(prompt).toContain('"input":"Explain paging."');
    const own = { ...tuned, prompts: { ...tuned.prompts, reflect: 'Say what is wrong.' } };
    expect(previewPrompt(own, 'reflect', task)).toEqual({ instructions: 'Say what is wrong.', prompt });
  });

  test('shows a judge the input, not the prompt', () => {
    expect(previewPrompt(tuned, 'evaluate', task).prompt).toContain('<task>\nExplain paging.\n</task>');
  });
});
