import { z } from 'zod';
import { LESSON_KINDS } from '#lib/core/lesson-kinds.ts';

/** What a run would be given of the library for an input. */
export const triedRecallSchema = z.object({
  lessons: z.array(
    z.object({
      id: z.guid(),
      kind: z.enum(LESSON_KINDS),
      text: z.string(),
      rank: z.int().min(1),
      score: z.number().min(0).max(1).meta({ description: 'How well it fits.' }),
    }),
  ),
  tokens: z.int().min(0).meta({ description: 'Estimated, of the lessons as they stand in the prompt.' }),
  promptPart: z.string().meta({ description: 'The very text that a prompt would get; empty where nothing fits.' }),
});
export type TriedRecall = z.infer<typeof triedRecallSchema>;
