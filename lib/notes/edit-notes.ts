import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { Note, NoteSubject } from './note.ts';
import { deleteNoteRow, findNote, insertNote, updateNote } from './notes.ts';

/** A note as it is sent: 1 to 20,000 characters that are not all blank, Markdown or plain. */
export const noteInputSchema = z.strictObject({
  text: z
    .string({ error: 'must be a text' })
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(20_000, { error: 'must be at most 20,000 characters' }),
});

/** Keeps what a person has to say of a run or an experiment (`noteInputSchema`). It changes nothing of how that goes on. */
export async function addNote(
  context: AppContext,
  actor: Actor,
  subject: NoteSubject,
  input: unknown,
): Promise<Result<Note>> {
  const parsed = parseInput(noteInputSchema, input);
  if (!parsed.ok) return parsed;
  const now = context.now();
  const note = { id: context.newId(), actor: actor.name, text: parsed.value.text };
  return inPoolTransaction(context.database, async (client): Promise<Result<Note>> => {
    const isStored = await insertNote(client, subject, { ...note, actorId: personOf(actor), now });
    if (!isStored) return fail('not_found', `There is no ${subject.kind} ${subject.id}.`);
    await recordChange(client, actor, { act: 'commented', subject });
    return succeed({ ...note, createdAt: now.toISOString(), updatedAt: now.toISOString(), isMine: true });
  });
}

/** Puts another text in the place of one's own note; the old one is not kept. */
export async function editNote(
  context: AppContext,
  actor: Actor,
  noteId: string,
  input: unknown,
): Promise<Result<Note>> {
  const parsed = parseInput(noteInputSchema, input);
  if (!parsed.ok) return parsed;
  const found = await findNote(context.database, noteId);
  if (found === null) return noNote(noteId);
  const { actorId, ...note } = found.note;
  if (actorId !== personOf(actor)) return fail('forbidden', `Only ${note.actor}, who wrote this note, can change it.`);
  const now = context.now();
  const { text } = parsed.value;
  return context.database.prisma.$transaction(async (transaction): Promise<Result<Note>> => {
    if (!(await updateNote(transaction, noteId, { text, now }))) return noNote(noteId);
    await recordChange(transaction, actor, { act: 'edited_comment', subject: found.subject });
    return succeed({ ...note, text, updatedAt: now.toISOString(), isMine: true });
  });
}

function noNote(noteId: string): Result<never> {
  return fail('not_found', `There is no note ${noteId}.`);
}

/** Deletes a note for good: its writer may, and an owner. */
export async function deleteNote(
  { database }: Pick<AppContext, 'database'>,
  actor: Actor,
  noteId: string,
): Promise<Result<{ deleted: { notes: number } }>> {
  const found = await findNote(database, noteId);
  if (found === null) return noNote(noteId);
  const { note, subject } = found;
  if (note.actorId !== personOf(actor) && actor.role !== 'owner')
    return fail('forbidden', `Only ${note.actor}, who wrote this note, or an owner can delete it.`);
  return database.prisma.$transaction(async (transaction) => {
    if (!(await deleteNoteRow(transaction, noteId))) return noNote(noteId);
    await recordChange(transaction, actor, { act: 'deleted_comment', subject, change: { by: note.actor } });
    return succeed({ deleted: { notes: 1 } });
  });
}
