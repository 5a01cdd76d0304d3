import { expect, test } from 'vitest';
import { EMPTY_IMPORT, type ImportDraft, importRequest } from './import-draft.ts';
import { fixDraft, importNotes } from './import-notes.ts';

const draftOf = (text: string): ImportDraft => ({ ...EMPTY_IMPORT, source: { kind: 'text', text } });

test.each([
  ['put in', { line: 2, column: 6, remove: 0, insert: ',' }, 'one\n"two", 2\nthree'],
  ['taken out', { line: 3, column: 1, remove: 2, insert: '' }, 'one\n"two" 2\nree'],
  ['behind the last line', { line: 4, column: 1, remove: 0, insert: ',' }, 'one\n"two" 2\nthree'],
])('a sign is %s where it is wrong', (_name, edit, text) => {
  const mended = fixDraft(draftOf('one\n"two" 2\nthree'), { kind: 'edit', label: 'Do it', ...edit }, {});
  expect(mended.source).toEqual({ kind: 'text', text });
});

test('a key that is read otherwise goes to the API', () => {
  const mend = { kind: 'read_as' as const, label: 'Read', key: 'question', as: 'input' as const };
  const draft = fixDraft(draftOf('{}'), mend, { input: 'input', question: 'metadata' });
  expect(importRequest(draft, 'jsonl')).toEqual({
    query: { sameCases: 'leave_out', mapping: '{"input":"input","question":"input"}', otherKeys: 'metadata' },
    file: { type: 'application/jsonl', content: '{}' },
  });
});

test('Hone suggests a mapping while nobody has chosen one; a long one leaves out what is metadata anyway', () => {
  expect(importRequest(EMPTY_IMPORT, 'csv').query).toMatchObject({ mapping: 'suggest', otherKeys: null });
  const columns = Array.from({ length: 150 }, (_, at) => [`a column of many, number ${at}`, 'metadata']);
  const mapping = { question: 'input', ...Object.fromEntries(columns) };
  expect(importRequest({ ...EMPTY_IMPORT, mapping }, 'csv').query).toMatchObject({
    mapping: '{"question":"input"}',
    otherKeys: 'metadata',
  });
});

test('faults name their place and their mend, repeated cases what they repeat', () => {
  const mend = { kind: 'keep_others' as const, label: 'Keep them' };
  const notes = importNotes({
    faults: [{ line: 4, column: 42, length: 6, message: 'a comma is missing', mend }],
    sameAs: [{ line: 8, as: 'line 1' }],
  });
  expect(notes).toMatchObject([
    { line: 4, tone: 'wrong', head: 'Line 4, column 42:', message: 'a comma is missing.', action: 'Keep them' },
    { line: 8, tone: 'soft', head: 'Line 8', message: 'is the same as line 1 and is left out.', action: null },
  ]);
});
