import { describe, expect, test } from 'vitest';
import { newCriterion } from './criterion-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { type FormSettings, toFormSettings } from './form-settings.ts';
import { previewSettings } from './preview-settings.ts';

const [, writing] = EXPERIMENT_TEMPLATES;
if (writing === undefined) throw new Error('there is no template');
const form = toFormSettings('any', writing.settings);

describe('previewSettings', () => {
  test('returns the settings of the form', () => {
    const settings = previewSettings({ ...form, prompts: { ...form.prompts, revise: 'Do' } });
    expect(settings.prompts.revise).toBe('Do');
    expect(settings.generator.instructions).toBe(form.generator.instructions);
    expect(settings.criteria.map(({ name }) => name)).toEqual(form.criteria.map(({ name }) => name));
  });

  test.each([
    { name: 'as it is', maxSteps: 7, base: { type: 'react', maxSteps: 7 } },
    { name: 'a single call where it can’t be read', maxSteps: 'many', base: { type: 'single' } },
  ])('returns the base, $name', ({ maxSteps, base }) => {
    const settings = previewSettings({
      ...form,
      generator: { ...form.generator, base: { ...form.generator.base, type: 'react', maxSteps } },
    });
    expect(settings.generator.base).toMatchObject(base);
  });

  test.each<{ name: string; changes: Partial<FormSettings>; criteria: string[] }>([
    { name: 'a number that is none', changes: { qualityThreshold: 'high' }, criteria: ['clarity'] },
    { name: 'a criterion without a name', changes: { criteria: [...one(), newCriterion(9)] }, criteria: ['clarity'] },
    { name: 'no criterion', changes: { criteria: [] }, criteria: ['criterion'] },
    { name: 'two of a name', changes: { criteria: [...one(), ...one()] }, criteria: ['criterion'] },
    {
      name: 'instructions too long',
      changes: { generator: { ...form.generator, instructions: 'x'.repeat(50_001) } },
      criteria: ['criterion'],
    },
  ])('leave out what can’t be read: $name', ({ changes, criteria }) => {
    const settings = previewSettings({ ...form, criteria: one(), ...changes });
    expect(settings.criteria.map(({ name }) => name)).toEqual(criteria);
  });
});

function one() {
  return form.criteria.slice(0, 1);
}
