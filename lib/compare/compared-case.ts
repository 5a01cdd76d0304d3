import { z } from 'zod';
import { LESSON_KINDS } from '#lib/core/lesson-kinds.ts';

const score = z.number().nullable();

/** What a run made of a case: its result is the accepted version, else the best one; it has none where nothing was scored. */
const resultSchema = z.object({
  runId: z.guid(),
  number: z.int(),
  status: z.string(),
  success: z.boolean(),
  version: z.int().nullable(),
  versionCount: z.int(),
  output: z.string().nullable().meta({ description: 'null where the text was not kept, or there is none.' }),
  score,
  satisfactory: z.boolean(),
  criteria: z
    .array(z.object({ name: z.string(), score, threshold: z.number().nullable(), reason: z.string().nullable() }))
    .meta({ description: 'threshold: null where the settings do not name the criterion.' }),
  recalled: z
    .array(
      z.object({
        lessonId: z.guid(),
        kind: z.enum(LESSON_KINDS),
        text: z.string(),
        versions: z.array(z.int()).meta({ description: 'Versions whose prompt it stood in.' }),
        isOwn: z.boolean().meta({ description: 'The run wrote it itself.' }),
      }),
    )
    .meta({ description: 'Lessons in the prompts of its versions, by the first of them.' }),
});
export type CaseResult = z.infer<typeof resultSchema>;

/** A case looked into: its task, and what each arm of a comparison made of it. */
export const comparedCaseSchema = z.object({
  caseKey: z.string(),
  input: z.string(),
  reference: z.string().nullable(),
  arms: z.array(
    z.object({
      arm: z.string(),
      runs: z.array(z.object({ id: z.guid(), number: z.int(), score, success: z.boolean() })),
      result: resultSchema
        .nullable()
        .meta({ description: 'Of the first of its runs; null where it did not run the case.' }),
    }),
  ),
});
export type ComparedCase = z.infer<typeof comparedCaseSchema>;
