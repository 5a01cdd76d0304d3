import { z } from 'zod';
import { numberBetween, oneOf } from './setting-parts.ts';

/** Action for a score with low confidence: judge again, ask a person, or leave it unscored. */
export const CONFIDENCE_ACTIONS = ['rejudge', 'ask', 'unscored'] as const;

/** Settings of the evaluation, in addition to the criteria. */
export const evaluationSettingsSchema = z.strictObject({
  confidence: z
    .strictObject({
      below: numberBetween(0, 1)
        .nullable()
        .default(null)
        .describe('Minimum confidence of a judge. Below it, Hone applies `evaluation.confidence.action`. Null: never.'),
      action: oneOf(CONFIDENCE_ACTIONS)
        .default('rejudge')
        .describe('What happens to a score with low confidence: judge again, ask a person, or leave it unscored.'),
    })
    .prefault({}),
});
