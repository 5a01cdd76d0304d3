import { z } from 'zod';
import { component, defineRoute } from '#lib/http/define-route.ts';
import { deletedSchema, page } from '#lib/http/fields.ts';
import { idOf, pagedByTime } from '#lib/http/parameters.ts';
import { addNote, deleteNote, editNote, findNotes, noteInputSchema, noteSchema } from '#lib/notes/notes.ts';

const notesQuery = z.strictObject(pagedByTime);

export const notesSchema = component('Notes', page(component('Note', noteSchema)));

export const noteRoutes = {
  listExperimentNotes: defineRoute('GET /api/v1/experiments/{id}/notes', {
    summary: 'List the notes on an experiment, newest first',
    role: 'viewer',
    params: { id: idOf('experiment') },
    query: notesQuery,
    response: notesSchema,
    handle: async ({ context, actor, params, query }) => {
      const { cursor = null, limit } = query;
      return findNotes(context, actor, { kind: 'experiment', id: params.id }, { cursor, limit });
    },
  }),
  addExperimentNote: defineRoute('POST /api/v1/experiments/{id}/notes', {
    summary: 'Add a note to an experiment',
    role: 'reviewer',
    audit: 'commented',
    params: { id: idOf('experiment') },
    body: component('NoteInput', noteInputSchema),
    status: 201,
    response: component('Note', noteSchema),
    handle: async ({ context, actor, params, body }) =>
      addNote(context, actor, { kind: 'experiment', id: params.id }, body),
  }),
  listRunNotes: defineRoute('GET /api/v1/runs/{id}/notes', {
    summary: 'List the notes on a run, newest first',
    role: 'viewer',
    params: { id: idOf('run') },
    query: notesQuery,
    response: notesSchema,
    handle: async ({ context, actor, params, query }) => {
      const { cursor = null, limit } = query;
      return findNotes(context, actor, { kind: 'run', id: params.id }, { cursor, limit });
    },
  }),
  addRunNote: defineRoute('POST /api/v1/runs/{id}/notes', {
    summary: 'Add a note to a run',
    role: 'reviewer',
    audit: 'commented',
    params: { id: idOf('run') },
    body: component('NoteInput', noteInputSchema),
    status: 201,
    response: component('Note', noteSchema),
    handle: async ({ context, actor, params, body }) => addNote(context, actor, { kind: 'run', id: params.id }, body),
  }),
  updateNote: defineRoute('PATCH /api/v1/notes/{id}', {
    summary: 'Change your own note',
    role: 'reviewer',
    audit: 'edited_comment',
    params: { id: idOf('note') },
    body: component('NoteInput', noteInputSchema),
    response: component('Note', noteSchema),
    handle: async ({ context, actor, params, body }) => editNote(context, actor, params.id, body),
  }),
  deleteNote: defineRoute('DELETE /api/v1/notes/{id}', {
    summary: 'Delete your own note, or any note as an owner',
    role: 'reviewer',
    audit: 'deleted_comment',
    params: { id: idOf('note') },
    response: deletedSchema,
    handle: async ({ context, actor, params }) => deleteNote(context, actor, params.id),
  }),
};
