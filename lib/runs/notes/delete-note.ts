import { deleteNoteRow, findNote } from '#lib/db/notes.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from '../workshop.ts';
import { noNote } from './edit-note.ts';

/** Deletes a note for good: its writer may, and an owner. */
export async function deleteNote(
  { database }: Pick<Workshop, 'database'>,
  actor: Actor,
  noteId: string,
): Promise<Result<{ deleted: { notes: number } }>> {
  const note = await findNote(database, noteId);
  if (note === null) return noNote(noteId);
  if (note.actorId !== actor.id && actor.role !== 'owner')
    return fail('forbidden', `Only ${note.actor}, who wrote this note, or an owner can delete it.`);
  return (await deleteNoteRow(database, noteId)) ? succeed({ deleted: { notes: 1 } }) : noNote(noteId);
}
