import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Page } from '#lib/database/page.ts';
import type { Note, NoteSubject } from './note.ts';
import { listNotes } from './notes.ts';

/** The notes on a run or an experiment, newest first, as `actor` sees them. */
export async function findNotes(
  { database }: Pick<AppContext, 'database'>,
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
