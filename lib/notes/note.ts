import { z } from 'zod';

/** Kinds of objects that a note can be attached to. */
const NOTE_SUBJECTS = ['run', 'experiment'] as const;
export const noteSubjectSchema = z.object({ kind: z.enum(NOTE_SUBJECTS), id: z.guid() });
export type NoteSubject = z.infer<typeof noteSubjectSchema>;

/** Markdown note of a person on a run or an experiment. */
export const noteSchema = z.object({
  id: z.guid(),
  actor: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().meta({ description: 'The same as createdAt if the note was never changed.' }),
  isMine: z.boolean().meta({ description: 'You wrote the note, and may change or delete it.' }),
});
export type Note = z.infer<typeof noteSchema>;
