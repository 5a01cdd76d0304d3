import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { noNote } from './edit-note.ts';
import { deleteNoteRow, findNote } from './notes.ts';

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
