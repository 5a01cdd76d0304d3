import { expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { settingsDifferences } from './schema.ts';

function settings(change: Partial<ExperimentSettingsInput>) {
  return settingsSchema.parse({
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'right', evaluator: 'llm' }],
    ...change,
  });
}
const JUDGE = { provider: 'practice', model: 'practice-judge' };

test.each<[string, Partial<ExperimentSettingsInput>, Partial<ExperimentSettingsInput>, unknown]>([
  ['no setting', {}, {}, []],
  ['a number', { maxAttempts: 4 }, { maxAttempts: 5 }, [{ setting: 'maxAttempts', before: '4', after: '5' }]],
  [
    'a nested setting',
    { lessons: { store: 'none' } },
    { lessons: { store: 'recall' } },
    [{ setting: 'lessons.store', before: 'none', after: 'recall' }],
  ],
  [
    'an added model',
    {},
    { evaluatorModel: JUDGE },
    [{ setting: 'evaluatorModel', before: 'none', after: 'practice-judge' }],
  ],
  [
    'a boolean',
    { structuredReflection: true },
    { structuredReflection: false },
    [{ setting: 'structuredReflection', before: 'on', after: 'off' }],
  ],
  [
    'a long text, with its values hidden',
    {},
    { generator: { provider: 'practice', model: 'practice-1', instructions: 'x'.repeat(41) } },
    [{ setting: 'generator.instructions', before: null, after: null }],
  ],
  [
    'a list, as a whole',
    {},
    { criteria: [{ name: 'right', evaluator: 'llm', threshold: 0.9 }] },
    [{ setting: 'criteria', before: null, after: null }],
  ],
])('settings differ by %s', (_name, before, after, differences) => {
  expect(settingsDifferences(settings(before), settings(after))).toEqual(differences);
});
