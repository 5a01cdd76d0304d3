import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';

/**
 * How far a look back over a run came: asked for (`waiting`), made (`done`), answered in no form that could be used (`unusable`:
 * nothing was stored), or not answered (`failed`).
 */
const RETROSPECTIVE_STATUSES = ['waiting', 'done', 'unusable', 'failed'] as const;

/** A look back over a whole run, and the lessons it left as they stand now; `counts` says how many of each kind it left, gone ones too. */
export const retrospectiveSchema = z.object({
  number: z.int(),
  status: z.enum(RETROSPECTIVE_STATUSES),
  requestedBy: z.string(),
  requestedAt: z.string(),
  settledAt: z.string().nullable(),
  counts: z.partialRecord(z.enum(LESSON_KINDS), z.int().min(0)),
  /** For people: why nothing was stored, or what was left out. */
  message: z.string().nullable(),
  tokens: z.int(),
  costUsd: z.number().nullable(),
  lessons: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(LESSON_KINDS),
      status: z.enum(LESSON_STATUSES),
      /** Another lesson says the same and speaks for it. */
      isMerged: z.boolean(),
      text: z.string(),
    }),
  ),
});
export type RetrospectiveRecord = z.infer<typeof retrospectiveSchema>;
