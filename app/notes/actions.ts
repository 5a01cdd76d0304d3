'use server';

import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import { addNote, deleteNote, editNote, type Note } from '#lib/notes/notes.ts';
import { refreshPages } from '../refresh-pages.ts';

/** Adds a note to a run or an experiment. */
export const addNoteAction = defineAction(
  'addNoteAction',
  { role: 'reviewer', audit: 'commented' },
  async (actor, kind: 'run' | 'experiment', id: string, text: string): Promise<Result<Note>> =>
    refreshPages(await addNote(await getAppContext(), actor, { kind, id }, { text })),
);

/** Edits a note of the current user. */
export const editNoteAction = defineAction(
  'editNoteAction',
  { role: 'reviewer', id: 'note', audit: 'edited_comment' },
  async (actor, noteId: string, text: string): Promise<Result<Note>> =>
    refreshPages(await editNote(await getAppContext(), actor, noteId, { text })),
);

/** Deletes a note of the current user. Owners may delete any note. */
export const deleteNoteAction = defineAction(
  'deleteNoteAction',
  { role: 'reviewer', id: 'note', audit: 'deleted_comment' },
  async (actor, noteId: string): Promise<Result<unknown>> =>
    refreshPages(await deleteNote(await getAppContext(), actor, noteId)),
);
