'use server';

import { revalidatePath } from 'next/cache';
import { defineAction } from '#lib/auth/define-action.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Result } from '#lib/core/problem.ts';
import type { Note } from '#lib/notes/note.ts';
import { addNote, deleteNote, editNote } from '#lib/notes/notes.ts';

/** Adds a note to a run or an experiment. */
export const addNoteAction = defineAction(
  'addNoteAction',
  { role: 'reviewer', audit: 'commented' },
  async (actor, kind: 'run' | 'experiment', id: string, text: string): Promise<Result<Note>> => {
    const result = await addNote(await getAppContext(), actor, { kind, id }, { text });
    if (result.ok) revalidatePath(`/${kind}s/${id}`);
    return result;
  },
);

/** Edits a note of the current user. */
export const editNoteAction = defineAction(
  'editNoteAction',
  { role: 'reviewer', audit: 'edited_comment' },
  async (actor, path: string, noteId: string, text: string): Promise<Result<Note>> => {
    const result = await editNote(await getAppContext(), actor, noteId, { text });
    if (result.ok) revalidatePath(path);
    return result;
  },
);

/** Deletes a note of the current user. Owners may delete any note. */
export const deleteNoteAction = defineAction(
  'deleteNoteAction',
  { role: 'reviewer', audit: 'deleted_comment' },
  async (actor, path: string, noteId: string): Promise<Result<unknown>> => {
    const result = await deleteNote(await getAppContext(), actor, noteId);
    if (result.ok) revalidatePath(path);
    return result;
  },
);
