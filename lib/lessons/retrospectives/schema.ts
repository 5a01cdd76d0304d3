import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';

/**
 * State of a retrospective: requested (`waiting`), completed (`done`), response in no usable form and nothing stored (`unusable`), or no
 * response (`failed`).
 */
const RETROSPECTIVE_STATUSES = ['waiting', 'done', 'unusable', 'failed'] as const;

/**
 * Retrospective of a whole run with the current state of its lessons. `counts` is the number of lessons of each kind, including deleted
 * ones.
 */
export const retrospectiveSchema = z.object({
  number: z.int(),
  status: z.enum(RETROSPECTIVE_STATUSES),
  requestedBy: z.string(),
  requestedAt: z.string(),
  settledAt: z.string().nullable(),
  counts: z.partialRecord(z.enum(LESSON_KINDS), z.int().min(0)),
  /** Human-readable reason why nothing was stored, or a description of what was left out. */
  message: z.string().nullable(),
  tokens: z.int(),
  costUsd: z.number().nullable(),
  lessons: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(LESSON_KINDS),
      status: z.enum(LESSON_STATUSES),
      /** True if the lesson was merged into another one that says the same. */
      isMerged: z.boolean(),
      text: z.string(),
    }),
  ),
});
export type RetrospectiveRecord = z.infer<typeof retrospectiveSchema>;
