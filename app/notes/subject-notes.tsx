import { notFound } from 'next/navigation';
import { NotesPane } from '#components/notes/notes-pane.tsx';
import type { Actor } from '#lib/auth/actor.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { findNotes, type NoteSubject } from '#lib/notes/notes.ts';

/** Maximum number of notes shown. The API returns the others. */
const MAX_SHOWN_NOTES = 100;

/** Renders the notes on a run or an experiment. `actor`: the current user. */
export async function SubjectNotes({ subject, actor }: { subject: NoteSubject; actor: Actor }) {
  const context = await getAppContext();
  const found = await findNotes(context, actor, subject, { cursor: null, limit: MAX_SHOWN_NOTES });
  if (!found.ok) notFound();
  const { items, nextCursor } = found.value;
  return <NotesPane subject={subject} notes={items} hasMore={nextCursor !== null} />;
}
