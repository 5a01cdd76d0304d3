import { inTransaction } from '#lib/db/in-transaction.ts';
import { insertNote } from '#lib/db/notes.ts';
import type { Note, NoteSubject } from '#lib/reflection/note.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { noteInputSchema } from './note-input.ts';

/** Keeps what a person has to say of a run or an experiment (`noteInputSchema`). It changes nothing of how that goes on. */
export async function addNote(
  workshop: Workshop,
  actor: Actor,
  subject: NoteSubject,
  input: unknown,
): Promise<Result<Note>> {
  const parsed = parseInput(noteInputSchema, input);
  if (!parsed.ok) return parsed;
  const now = workshop.now();
  const note = { id: workshop.newId(), actor: actor.name, text: parsed.value.text };
  return inTransaction(workshop.database, async (client): Promise<Result<Note>> => {
    const isStored = await insertNote(client, subject, { ...note, actorId: personOf(actor), now });
    if (!isStored) return fail('not_found', `There is no ${subject.kind} ${subject.id}.`);
    await recordChange(client, actor, { act: 'commented', subject });
    return succeed({ ...note, createdAt: now.toISOString(), updatedAt: now.toISOString(), isMine: true });
  });
}
