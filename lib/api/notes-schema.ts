import { z } from 'zod';
import { component } from '#lib/http/define-route.ts';
import { page } from '#lib/http/fields.ts';
import { pagedByTime } from '#lib/http/read-query.ts';
import { noteSchema } from '#lib/notes/note.ts';

export const notesQuery = z.strictObject(pagedByTime);

export const notesSchema = component('Notes', page(component('Note', noteSchema)));
