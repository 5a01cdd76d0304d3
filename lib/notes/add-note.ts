import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import type { Note, NoteSubject } from './note.ts';
import { noteInputSchema } from './note-input.ts';
import { insertNote } from './notes.ts';

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
  return inTransaction(context.database, async (client): Promise<Result<Note>> => {
    const isStored = await insertNote(client, subject, { ...note, actorId: personOf(actor), now });
    if (!isStored) return fail('not_found', `There is no ${subject.kind} ${subject.id}.`);
    await recordChange(client, actor, { act: 'commented', subject });
    return succeed({ ...note, createdAt: now.toISOString(), updatedAt: now.toISOString(), isMine: true });
  });
}
