import { expect, test } from 'vitest';
import { caseSourceOf } from './case-sources.ts';
import { casesProblems, estimatedCases, runLabel } from './use-cases.ts';

test.each([
  [{ source: 'text' as const, count: 1 }, 1, 'Run'],
  [{ source: 'text' as const, count: 1 }, 3, 'Run it 3 times'],
  [{ source: 'import' as const, count: null }, 1, 'Run cases'],
  [{ source: 'dataset' as const, count: 24 }, 1, 'Run 24 cases'],
  [{ source: 'dataset' as const, count: 24 }, 3, 'Run 24 cases, 72 runs'],
])('over %j, %i times, the button says %s', (cases, repetitions, label) => {
  expect(runLabel(cases, repetitions)).toBe(label);
});

test('what is wrong with pasted cases stands at them', () => {
  expect(casesProblems({ importProblem: 'Paste one.' })).toEqual([{ field: 'start.import', message: 'Paste one.' }]);
  expect(casesProblems({ importProblem: null })).toEqual([]);
});

test('pasted cases are estimated as many as there are, by those that are shown', () => {
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

test('an address names a source of cases, or none', () => {
  expect([caseSourceOf('import'), caseSourceOf('elsewhere'), caseSourceOf(null)]).toEqual(['import', null, null]);
});
