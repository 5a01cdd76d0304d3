import { expect, test } from 'vitest';
import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { controlSettings, usesLessons, withoutLessons } from './control-settings.ts';

type BaseInput = ExperimentSettingsInput['generator']['base'];

function settings(base: BaseInput, more: Partial<ExperimentSettingsInput> = {}): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'revise',
    generator: { provider: 'practice', model: 'practice-1', base },
    criteria: [{ name: 'clarity', evaluator: 'llm' }],
    ...more,
  });
}

const worker = { name: 'solver', tools: ['lesson_search', 'javascript'] };

test.each<{ name: string; base: BaseInput; expected: object }>([
  { name: 'a single call', base: { type: 'single' }, expected: { type: 'single' } },
  {
    name: 'an agent',
    base: { type: 'react', tools: ['lesson_search', 'calculator'], approve: ['lesson_search', 'calculator'] },
    expected: { tools: ['calculator'], approve: ['calculator'] },
  },
  {
    name: 'a supervisor',
    base: { type: 'supervisor', workers: [worker], tools: ['lesson_search'], approve: ['javascript'] },
    expected: { tools: [], approve: ['javascript'], workers: [{ name: 'solver', tools: ['javascript'] }] },
  },
])(
  'a no_lessons control for $name has no lesson search and still requires approval of its other tools',
  ({ base, expected }) => {
    const onTools = base?.type === 'single' ? [] : ['lesson_search'];
    const before = settings(base, { triggers: { onTools } });
    const bare = withoutLessons(before);
    expect(bare.generator.base).toMatchObject(expected);
    expect(bare.triggers.onTools).toEqual([]);
    expect(settingsSchema.parse(bare)).toEqual(bare);
  },
);

test('equal-cost drafts use the same agent without lessons or mid-run reflection', () => {
  const base = { type: 'react', tools: ['calculator', 'lesson_search'], maxSteps: 4 } as const satisfies BaseInput;
  const before = settings(base, { triggers: { stepInterval: 2, onTools: ['calculator'] } });
  const budget = { maxTokens: 500, maxCostUsd: null };
  const control = controlSettings(before, { control: 'equal_cost', budget, temperature: 0.7 });
  expect(control.generator.base).toMatchObject({ type: 'react', tools: ['calculator'], maxSteps: 4 });
  expect(control.generator.temperature).toBe(0.7);
  expect(settingsSchema.parse(control)).toEqual(control);
});

test.each<{ tools: string[]; uses: boolean }>([
  { tools: ['calculator'], uses: false },
  { tools: ['lesson_search'], uses: true },
])('agents with $tools use lessons: $uses', ({ tools, uses }) => {
  expect(usesLessons(settings({ type: 'react', tools }, { lessons: { store: 'none', write: 'off' } }))).toBe(uses);
});
