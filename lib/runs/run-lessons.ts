import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-kinds.ts';
import { LESSON_ADMISSIONS } from '#lib/core/lesson-library.ts';
import { RECALL_EFFECTS } from '#lib/core/recalled-text.ts';

const status = z.enum(LESSON_STATUSES);
const kind = z.enum(LESSON_KINDS);

/** The lessons of a run: those in the prompts of its versions, and those it wrote, as they stand in the library now. */
export const runLessonsSchema = z.object({
  recalled: z.array(
    z.object({
      version: z.int(),
      rank: z.int(),
      lessonId: z.string(),
      kind,
      text: z.string().meta({ description: 'What stood in the prompt, also where the lesson was edited since.' }),
      status,
      score: z
        .number()
        .nullable()
        .meta({ description: 'How well it fitted; null where it was not looked for by that.' }),
      effect: z.enum(RECALL_EFFECTS).nullable().meta({ description: 'What the evaluation of the version says of it.' }),
      isOwn: z.boolean().meta({ description: 'The run wrote it itself.' }),
    }),
  ),
  written: z.array(
    z.object({
      id: z.string(),
      kind,
      status,
      admission: z.enum(LESSON_ADMISSIONS),
      mergedIntoId: z.string().nullable(),
      version: z.int().nullable(),
      text: z.string(),
    }),
  ),
});
export type RunLessons = z.infer<typeof runLessonsSchema>;
