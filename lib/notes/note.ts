import { z } from 'zod';

/** What a note is on. */
const NOTE_SUBJECTS = ['run', 'experiment'] as const;
export type NoteSubject = { kind: (typeof NOTE_SUBJECTS)[number]; id: string };

/** What a person wrote on a run or an experiment, as Markdown. */
export const noteSchema = z.object({
  id: z.guid(),
  actor: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().meta({ description: 'The same as createdAt if the note was never changed.' }),
  isMine: z.boolean().meta({ description: 'You wrote the note, and may change or delete it.' }),
});
export type Note = z.infer<typeof noteSchema>;
