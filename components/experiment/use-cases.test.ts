import { expect, test } from 'vitest';
import { caseSourceOf } from './case-sources.ts';
import { casesProblems, estimatedCases, runLabel } from './use-cases.ts';

test.each([
  [{ source: 'text' as const, count: 1 }, 1, 'Run'],
  [{ source: 'text' as const, count: 1 }, 3, 'Run it 3 times'],
  [{ source: 'import' as const, count: null }, 1, 'Run cases'],
  [{ source: 'dataset' as const, count: 24 }, 1, 'Run 24 cases'],
  [{ source: 'dataset' as const, count: 24 }, 3, 'Run 24 cases, 72 runs'],
])('the run button for %j with %i repetitions reads %s', (cases, repetitions, label) => {
  expect(runLabel(cases, repetitions)).toBe(label);
});

test('reports a problem with pasted cases at their field', () => {
  expect(casesProblems({ importProblem: 'Paste one.' })).toEqual([{ field: 'start.import', message: 'Paste one.' }]);
  expect(casesProblems({ importProblem: null })).toEqual([]);
});

test('estimates all pasted cases from the previewed rows', () => {
  const pasted = { source: 'import' as const, input: '', messages: null, datasetId: '' };
  const row = (input: string) => ({ state: 'ready' as const, input });
  const preview = (ready: number) => ({ ready, rows: [row('One'), row('Two')] });
  expect(estimatedCases({ ...pasted, preview: preview(3) })).toEqual({
    cases: [{ input: 'One' }, { input: 'Two' }, { input: 'One' }],
  });
  expect(estimatedCases({ ...pasted, preview: preview(501) })).toEqual({});
  expect(estimatedCases({ ...pasted, preview: null })).toEqual({});
});

test('estimates ignore empty messages', () => {
  const typed = { source: 'text' as const, input: 'Kept for later', datasetId: '', preview: null };
  const asked = { role: 'user' as const, content: 'Why?' };
  const empty = { role: 'assistant' as const, content: ' ' };
  expect(estimatedCases({ ...typed, messages: [asked, empty] })).toEqual({ input: [asked] });
  expect(estimatedCases({ ...typed, messages: [empty] })).toEqual({});
  expect(estimatedCases({ ...typed, messages: [{ ...asked, content: 'x'.repeat(5_000) }] })).toEqual({
    inputLength: 5_000,
  });
});

test('reads the case source from the URL, or null', () => {
  expect([caseSourceOf('import'), caseSourceOf('elsewhere'), caseSourceOf(null)]).toEqual(['import', null, null]);
});
