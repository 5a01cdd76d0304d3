import { expect, test } from 'vitest';
import { EMPTY_IMPORT, fixDraft, type ImportDraft, importNotes, importRequest } from './import-draft.ts';

const draftOf = (text: string): ImportDraft => ({ ...EMPTY_IMPORT, source: { kind: 'text', text } });

test.each([
  ['inserted', { line: 2, column: 6, remove: 0, insert: ',' }, 'one\n"two", 2\nthree'],
  ['deleted', { line: 3, column: 1, remove: 2, insert: '' }, 'one\n"two" 2\nree'],
  ['inserted after the last line', { line: 4, column: 1, remove: 0, insert: ',' }, 'one\n"two" 2\nthree'],
])('applies an edit at the error position: a character is %s', (_name, edit, text) => {
  const fixed = fixDraft(draftOf('one\n"two" 2\nthree'), { kind: 'edit', label: 'Do it', ...edit }, {});
  expect(fixed.source).toEqual({ kind: 'text', text });
});

test('sends a remapped key to the API', () => {
  const repair = { kind: 'read_as' as const, label: 'Read', key: 'question', as: 'input' as const };
  const draft = fixDraft(draftOf('{}'), repair, { input: 'input', question: 'metadata' });
  expect(importRequest(draft, 'jsonl')).toEqual({
    query: { sameCases: 'leave_out', mapping: '{"input":"input","question":"input"}', otherKeys: 'metadata' },
    file: { type: 'application/jsonl', content: '{}' },
  });
});

test('requests a suggested mapping by default; omits metadata columns from a long mapping', () => {
  expect(importRequest(EMPTY_IMPORT, 'csv').query).toMatchObject({ mapping: 'suggest', otherKeys: null });
  const columns = Array.from({ length: 150 }, (_, at) => [`a column of many, number ${at}`, 'metadata']);
  const mapping = { question: 'input', ...Object.fromEntries(columns) };
  expect(importRequest({ ...EMPTY_IMPORT, mapping }, 'csv').query).toMatchObject({
    mapping: '{"question":"input"}',
    otherKeys: 'metadata',
  });
});

test('notes show the position and fix of a fault and the original of a duplicate case', () => {
  const repair = { kind: 'keep_others' as const, label: 'Keep them' };
  const notes = importNotes(
    {
      faults: [{ line: 4, column: 42, length: 6, message: 'a comma is missing', mend: repair }],
      sameAs: [{ line: 8, as: 'line 1' }],
    },
    'current',
  );
  expect(notes).toMatchObject([
    { line: 4, tone: 'wrong', head: 'Line 4, column 42:', message: 'a comma is missing.', action: 'Keep them' },
    { line: 8, tone: 'soft', head: 'Line 8', message: 'is the same as line 1 and is left out.', action: null },
  ]);
});

test('a fix is not offered for a line that was edited after the preview', () => {
  const repair = { kind: 'edit' as const, label: 'Insert', line: 1, column: 1, remove: 0, insert: ',' };
  const report = {
    faults: [{ line: 1, column: 1, length: 1, message: 'a comma is missing', mend: repair }],
    sameAs: [],
  };
  expect(importNotes(report, 'current')).toMatchObject([{ line: 1, action: 'Insert' }]);
  expect(importNotes(report, 'outdated')).toMatchObject([{ line: 1, action: null }]);
});
