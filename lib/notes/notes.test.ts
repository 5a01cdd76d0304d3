import { expect, test } from 'vitest';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { PRACTICE_WRITING, queuedRun, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { addNote, deleteNote, editNote, findNotes, type NoteSubject } from './notes.ts';

const db = useTestDatabase();
const ADA = { id: 'ada', name: 'Ada', role: 'reviewer' } as const;
const ALL = { cursor: null, limit: 50 };

async function createNotes() {
  const context = testContext(db.database());
  const id = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain the refund policy' });
  const run: NoteSubject = { kind: 'run', id };
  const { rows } = await db
    .database()
    .pool.query<{ id: string }>('SELECT experiment_id AS id FROM runs WHERE id = $1', [id]);
  return { context, run, experiment: { kind: 'experiment', id: rows[0]?.id ?? '' } satisfies NoteSubject };
}

test('lists notes on a run and on its experiment separately, newest first, by page', async () => {
  const { context, run, experiment } = await createNotes();
  let minute = 0;
  const later = { ...context, now: () => new Date(Date.UTC(2026, 0, 1, 0, minute++)) };
  for (const text of ['one', 'two', 'three']) unwrap(await addNote(later, ADA, run, { text }));
  unwrap(await addNote(later, TESTER, experiment, { text: '  **all** runs  ' }));

  const first = unwrap(await findNotes(context, ADA, run, { cursor: null, limit: 2 }));
  const second = unwrap(await findNotes(context, ADA, run, { cursor: first.nextCursor, limit: 2 }));
  expect([...first.items, ...second.items].map(({ text }) => text)).toEqual(['three', 'two', 'one']);
  expect(second.nextCursor).toBeNull();
  expect(unwrap(await findNotes(context, ADA, experiment, ALL)).items).toMatchObject([
    { text: '**all** runs', actor: 'Tester', isMine: false },
  ]);
});

test.each([
  ['an invalid id', { kind: 'run', id: 'x' }],
  ['no id', { kind: 'experiment', id: null }],
  ['an object as id', { kind: 'run', id: { toString: 1 } }],
  ['an unknown kind', { kind: 'lesson', id: '00000000-0000-4000-8000-000000000000' }],
])('rejects a note on a subject with %s', async (_name, subject) => {
  const refused = await addNote(testContext(db.database()), ADA, subject as unknown as NoteSubject, { text: 'Mine' });
  expect(refused).toMatchObject({ ok: false, problem: { code: 'not_found' } });
});

test('only the author edits a note; others read it, and an owner can delete it', async () => {
  const { context, run } = await createNotes();
  const { id } = unwrap(await addNote(context, ADA, run, { text: 'Wrong reference' }));
  expect(await editNote(context, TESTER, id, { text: 'x' })).toMatchObject({
    ok: false,
    problem: { code: 'forbidden' },
  });
  const edited = unwrap(await editNote(context, ADA, id, { text: 'The reference is wrong' }));
  expect(unwrap(await findNotes(context, ADA, run, ALL)).items).toEqual([edited]);
  const grace = { id: 'grace', name: 'Grace', role: 'editor' } as const;
  expect(await deleteNote(context, grace, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } });
  expect(unwrap(await deleteNote(context, TESTER, id))).toEqual({ deleted: { notes: 1 } });
  expect(await deleteNote(context, TESTER, id)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
});

test('notes are deleted with their run or experiment', async () => {
  const { context, run, experiment } = await createNotes();
  unwrap(await addNote(context, ADA, run, { text: 'on the run' }));
  unwrap(await addNote(context, ADA, experiment, { text: 'on the experiment' }));
  unwrap(await deleteExperiment(context, TESTER, experiment.id));
  expect(await findNotes(context, ADA, run, ALL)).toMatchObject({ ok: false, problem: { code: 'not_found' } });
  expect(await addNote(context, ADA, run, { text: 'late' })).toMatchObject({
    ok: false,
    problem: { code: 'not_found' },
  });
});

test.each([
  { name: 'blank', text: ' \n ' },
  { name: 'too long', text: 'x'.repeat(20_001) },
])('refuses a note that is $name', async ({ text }) => {
  const { context, run } = await createNotes();
  expect(await addNote(context, ADA, run, { text })).toMatchObject({ ok: false, problem: { field: 'text' } });
});
