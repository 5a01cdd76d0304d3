import { z } from 'zod';
import { criterionShared } from './shared.ts';

/** Scored by a person: the run waits for them. `question` is what they are asked. */
export const humanCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('human'),
  config: z
    .strictObject({
      question: z.string().trim().max(2_000, { error: 'must be at most 2,000 characters' }).optional(),
    })
    .default({}),
});

/** What stands for the reason of a criterion that no person has scored yet. */
export const WAITS_FOR_A_PERSON = 'Waits for a person’s score.';
