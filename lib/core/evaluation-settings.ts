import { z } from 'zod';
import { numberBetween, oneOf } from './setting-parts.ts';

/** What happens to a score that its judge is not sure of: judged once more, left to a person, or not counted. */
export const CONFIDENCE_ACTIONS = ['rejudge', 'ask', 'unscored'] as const;

/** How versions are evaluated, beside the criteria. */
export const evaluationSettingsSchema = z.strictObject({
  confidence: z
    .strictObject({
      below: numberBetween(0, 1)
        .nullable()
        .default(null)
        .describe('Minimum confidence of a judge. The action applies below it. Null: never.'),
      action: oneOf(CONFIDENCE_ACTIONS)
        .default('rejudge')
        .describe('What happens to a score with low confidence: judge again, ask a person, or leave it unscored.'),
    })
    .prefault({}),
});
