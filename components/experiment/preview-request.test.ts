import { describe, expect, test } from 'vitest';
import type { ImportPreview } from '#components/datasets/import-draft.ts';
import { newCriterion } from './criterion-draft.ts';
import { EXPERIMENT_TEMPLATES } from './experiment-templates.ts';
import { type FormSettings, toFormSettings } from './form-settings.ts';
import { previewNote, previewSettings, toFormProblem } from './preview-request.ts';

function previewOf(...rows: { state: 'ready' | 'wrong'; input: string | null }[]) {
  return { rows } as ImportPreview;
}

describe('previewNote', () => {
  test.each([
    { name: 'a typed case', source: 'text' as const, rows: [], note: null },
    { name: 'a dataset', source: 'dataset' as const, rows: [], note: 'Uses the first case of the dataset.' },
    {
      name: 'a short case after an invalid one',
      source: 'import' as const,
      rows: [
        { state: 'wrong' as const, input: 'x'.repeat(300) },
        { state: 'ready' as const, input: 'x'.repeat(299) },
      ],
      note: 'Uses the first case.',
    },
    {
      name: 'a case that the report truncated',
      source: 'import' as const,
      rows: [{ state: 'ready' as const, input: 'x'.repeat(300) }],
      note: 'Uses the first 300 characters of the first case.',
    },
  ])('describes $name', ({ source, rows, note }) => {
    expect(previewNote({ source, preview: previewOf(...rows) })).toBe(note);
  });
});

test('maps an error of the request to the field of the form', () => {
  const problem = {
    code: 'invalid' as const,
    message: 'experiment.generator.model: Required',
    field: 'experiment.generator.model',
  };
  expect(toFormProblem(problem)).toMatchObject({ message: 'generator.model: Required', field: 'generator.model' });
  expect(toFormProblem({ ...problem, field: null }).field).toBeNull();
});

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
    { name: 'unchanged', maxSteps: 7, base: { type: 'react', maxSteps: 7 } },
    { name: 'replaced by a single call if it cannot be read', maxSteps: 'many', base: { type: 'single' } },
  ])('returns the base, $name', ({ maxSteps, base }) => {
    const settings = previewSettings({
      ...form,
      generator: { ...form.generator, base: { ...form.generator.base, type: 'react', maxSteps } },
    });
    expect(settings.generator.base).toMatchObject(base);
  });

  test.each<{ name: string; changes: Partial<FormSettings>; criteria: string[] }>([
    { name: 'an invalid number', changes: { qualityThreshold: 'high' }, criteria: ['clarity'] },
    { name: 'a criterion without a name', changes: { criteria: [...one(), newCriterion(9)] }, criteria: ['clarity'] },
    { name: 'no criteria', changes: { criteria: [] }, criteria: ['criterion'] },
    { name: 'two criteria with the same name', changes: { criteria: [...one(), ...one()] }, criteria: ['criterion'] },
    {
      name: 'instructions that are too long',
      changes: { generator: { ...form.generator, instructions: 'x'.repeat(50_001) } },
      criteria: ['criterion'],
    },
  ])('omits settings that cannot be read: $name', ({ changes, criteria }) => {
    const settings = previewSettings({ ...form, criteria: one(), ...changes });
    expect(settings.criteria.map(({ name }) => name)).toEqual(criteria);
  });
});

function one() {
  return form.criteria.slice(0, 1);
}
