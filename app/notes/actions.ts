'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { addNote, deleteNote, editNote } from '#lib/notes/notes.ts';

/** Adds a note to a run or an experiment. */
export const addNoteAction = defineAction(
  'addNoteAction',
  { role: 'reviewer', audit: 'commented', refreshes: true },
  async (actor, kind: 'run' | 'experiment', id: string, text: string) =>
    addNote(await getAppContext(), actor, { kind, id }, { text }),
);

/** Edits a note of the current user. */
export const editNoteAction = defineAction(
  'editNoteAction',
  { role: 'reviewer', id: 'note', audit: 'edited_comment', refreshes: true },
  async (actor, noteId: string, text: string) => editNote(await getAppContext(), actor, noteId, { text }),
);

/** Deletes a note of the current user. Owners may delete any note. */
export const deleteNoteAction = defineAction(
  'deleteNoteAction',
  { role: 'reviewer', id: 'note', audit: 'deleted_comment', refreshes: true },
  async (actor, noteId: string) => deleteNote(await getAppContext(), actor, noteId),
);
