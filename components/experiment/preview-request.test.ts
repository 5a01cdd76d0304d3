import { describe, expect, test } from 'vitest';
import type { ImportPreview } from '#components/datasets/import-draft.ts';
import { previewNote, toFormProblem } from './preview-request.ts';

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
