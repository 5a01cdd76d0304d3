import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { Note } from './note.ts';
import { noteInputSchema } from './note-input.ts';
import { findNote, updateNote } from './notes.ts';

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

export function noNote(noteId: string): Result<never> {
  return fail('not_found', `There is no note ${noteId}.`);
}
