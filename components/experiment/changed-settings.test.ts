import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import { changedSettings, settingsText } from './changed-settings.ts';

const settings = (more: object = {}) =>
  settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'clarity', evaluator: 'llm' }],
    ...more,
  });

test.each([
  { name: 'no change', before: {}, after: {}, expected: [] },
  {
    name: 'a nested setting',
    before: { lessons: { store: 'recall' } },
    after: { lessons: { store: 'block' } },
    expected: [{ setting: 'lessons.store', before: 'recall', after: 'block' }],
  },
  {
    name: 'a newly set text and a number',
    before: {},
    after: { prompts: { revise: 'Be short.\nBe kind.' }, maxIterations: 5 },
    expected: [
      { setting: 'prompts.revise', before: '', after: 'Be short.\nBe kind.' },
      { setting: 'maxIterations', before: '3', after: '5' },
    ],
  },
  {
    name: 'a group that is turned off',
    before: { evaluatorModel: { provider: 'practice', model: 'practice-1' } },
    after: {},
    expected: [
      { setting: 'evaluatorModel.provider', before: 'practice', after: '' },
      { setting: 'evaluatorModel.model', before: 'practice-1', after: '' },
    ],
  },
])('lists the changed settings: $name', ({ before, after, expected }) => {
  const found = changedSettings(settings(before), settings(after));
  expect(found.changed).toEqual(expected);
  expect(found.total).toBeGreaterThan(40);
});

test('compares a list as a whole, line by line', () => {
  const criteria = [{ name: 'clarity', evaluator: 'llm', weight: 2 }];
  const { changed } = changedSettings(settings(), settings({ criteria }));
  expect(changed.map(({ setting }) => setting)).toEqual(['criteria']);
  expect(changed[0]?.after).toContain('"weight": 2');
});

describe('settingsText', () => {
  test.each([
    { name: 'numbers and short texts as JSON', settings: { a: 1, b: 'x' }, text: '{\n  "a": 1,\n  "b": "x"\n}' },
    {
      name: 'code as separate lines',
      settings: { config: { code: 'if (x)\n  y;' } },
      text: '{\n  "config": {\n    "code": "if (x)\n        y;"\n  }\n}',
    },
    { name: 'an unchanged backslash before an n', settings: { pattern: '\\n' }, text: '{\n  "pattern": "\\\\n"\n}' },
  ])('$name', ({ settings, text }) => {
    expect(settingsText(settings)).toBe(text);
  });

  test('equal text means equal settings, for values without leading spaces', () => {
    const word = fc.constantFrom('a', '\\n', 'b\nc', '\\', '"');
    fc.assert(
      fc.property(fc.array(word), fc.array(word), (one, other) => {
        expect(settingsText(one) === settingsText(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});
