import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanText, type Page, pageOf, readTimeCursor, timeCursor, withIsoTimes } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';

/** Kinds of objects that a note can be attached to. */
const NOTE_SUBJECTS = ['run', 'experiment'] as const;
const noteSubjectSchema = z.object({ kind: z.enum(NOTE_SUBJECTS), id: z.guid() });
export type NoteSubject = z.infer<typeof noteSubjectSchema>;

/** Markdown note of a person on a run or an experiment. */
export const noteSchema = z.object({
  id: z.guid(),
  actor: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().meta({ description: 'The same as createdAt if the note was never changed.' }),
  isMine: z.boolean().meta({ description: 'You wrote the note, and may change or delete it.' }),
});
export type Note = z.infer<typeof noteSchema>;

/** Stored note. `actorId` identifies the person who may change it. */
type StoredNote = Omit<Note, 'isMine'> & { actorId: string };

async function isThere({ run, experiment }: Transaction, { kind, id }: NoteSubject): Promise<boolean> {
  const where = { id };
  return (await (kind === 'run' ? run.count({ where }) : experiment.count({ where }))) > 0;
}

/** Returns a note and its subject by the note's id, or null. */
async function findNote(
  { prisma }: DatabaseClient,
  id: string,
): Promise<{ note: StoredNote; subject: NoteSubject } | null> {
  const row = await prisma.note.findUnique({ where: { id } });
  if (row === null) return null;
  const { runId, experimentId, ...note } = withIsoTimes(row);
  const subject: NoteSubject =
    runId === null ? { kind: 'experiment', id: experimentId ?? '' } : { kind: 'run', id: runId };
  return { note, subject };
}

function columnOf({ kind, id }: NoteSubject): { runId: string } | { experimentId: string } {
  return kind === 'run' ? { runId: id } : { experimentId: id };
}

/** Returns the notes on a run or an experiment, newest first, as visible to `actor`. Not found if the run or experiment does not exist. */
export async function findNotes(
  { database }: DatabaseContext,
  actor: Actor,
  subject: NoteSubject,
  page: { cursor: string | null; limit: number },
): Promise<Result<Page<Note>>> {
  const before = readTimeCursor(page.cursor);
  const rows = await database.prisma.note.findMany({
    where: {
      ...columnOf(subject),
      ...(before !== null && {
        OR: [{ createdAt: { lt: before.at } }, { createdAt: before.at, id: { lt: before.id } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: page.limit + 1,
    omit: { runId: true, experimentId: true },
  });
  if (rows.length === 0 && !(await isThere(database.prisma, subject))) return notStored(subject.kind, subject.id);
  const notes = rows
    .map(withIsoTimes)
    .map(({ actorId, ...note }) => ({ ...note, isMine: actorId === personOf(actor) }));
  return succeed(pageOf(notes, page.limit, timeCursor));
}

/** Input of a note: 1 to 20,000 characters, not all blank, Markdown or plain text. */
export const noteInputSchema = z.strictObject({
  text: z
    .string({ error: 'must be a text' })
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(20_000, { error: 'must be at most 20,000 characters' }),
});

/** Saves a person's note on a run or an experiment (`noteInputSchema`). It does not affect the run or experiment. */
export async function addNote(
  context: AppContext,
  actor: Actor,
  subject: NoteSubject,
  input: unknown,
): Promise<Result<Note>> {
  if (!noteSubjectSchema.safeParse(subject).success)
    return fail('not_found', 'There is no run or experiment with this ID.');
  const parsed = parseInput(noteInputSchema, input);
  if (!parsed.ok) return parsed;
  const now = context.now();
  const note = { id: context.newId(), actor: actor.name, text: parsed.value.text };
  return inTransaction(context.database, async (transaction): Promise<Result<Note>> => {
    if (!(await isThere(transaction, subject))) return notStored(subject.kind, subject.id);
    const row = { ...note, ...columnOf(subject), actorId: personOf(actor), createdAt: now, updatedAt: now };
    await transaction.note.create({ data: { ...row, text: cleanText(note.text) } });
    await recordChange(transaction, actor, { act: 'commented', subject });
    return succeed({ ...note, createdAt: now.toISOString(), updatedAt: now.toISOString(), isMine: true });
  });
}

/** Replaces the text of the actor's own note. The old text is not kept. */
export async function editNote(
  context: AppContext,
  actor: Actor,
  noteId: string,
  input: unknown,
): Promise<Result<Note>> {
  const parsed = parseInput(noteInputSchema, input);
  if (!parsed.ok) return parsed;
  const found = await findNote(context.database, noteId);
  if (found === null) return notStored('note', noteId);
  const { actorId, ...note } = found.note;
  if (actorId !== personOf(actor)) return fail('forbidden', `Only ${note.actor}, who wrote this note, can change it.`);
  const now = context.now();
  const { text } = parsed.value;
  return inTransaction(context.database, async (transaction): Promise<Result<Note>> => {
    const data = { text: cleanText(text), updatedAt: now };
    const { count } = await transaction.note.updateMany({ where: { id: noteId }, data });
    if (count === 0) return notStored('note', noteId);
    await recordChange(transaction, actor, { act: 'edited_comment', subject: found.subject });
    return succeed({ ...note, text, updatedAt: now.toISOString(), isMine: true });
  });
}

/** Permanently deletes a note. Only its author and owners may delete it. */
export async function deleteNote(
  { database }: DatabaseContext,
  actor: Actor,
  noteId: string,
): Promise<Result<{ deleted: { notes: number } }>> {
  const found = await findNote(database, noteId);
  if (found === null) return notStored('note', noteId);
  const { note, subject } = found;
  if (note.actorId !== personOf(actor) && actor.role !== 'owner')
    return fail('forbidden', `Only ${note.actor}, who wrote this note, or an owner can delete it.`);
  return inTransaction(database, async (transaction) => {
    const { count } = await transaction.note.deleteMany({ where: { id: noteId } });
    if (count === 0) return notStored('note', noteId);
    await recordChange(transaction, actor, { act: 'deleted_comment', subject, change: { by: note.actor } });
    return succeed({ deleted: { notes: 1 } });
  });
}
