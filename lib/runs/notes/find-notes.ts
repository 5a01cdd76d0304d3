import { listNotes } from '#lib/db/notes.ts';
import type { Page } from '#lib/db/page.ts';
import type { Note, NoteSubject } from '#lib/reflection/note.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import type { Workshop } from '../workshop.ts';

/** The notes on a run or an experiment, newest first, as `actor` sees them. */
export async function findNotes(
  { database }: Pick<Workshop, 'database'>,
  actor: Actor,
  subject: NoteSubject,
  page: { cursor: string | null; limit: number },
): Promise<Page<Note>> {
  const { items, nextCursor } = await listNotes(database, subject, page);
  return {
    items: items.map(({ actorId, ...note }) => ({ ...note, isMine: actorId === personOf(actor) })),
    nextCursor,
  };
}
