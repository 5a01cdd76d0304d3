import { z } from 'zod';
import { oneOf } from '../setting-parts.ts';
import { criterionShared } from './shared.ts';

/**
 * Judged by a model side by side with another text, in both orders: the version before, the best one so far, or the case's
 * reference. A win in both is 1, a loss in both 0, all else a tie, 0.5; so a threshold of up to 0.5 takes "no worse".
 */
export const comparisonCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('comparison'),
  config: z.strictObject({ against: oneOf(['previous', 'best', 'reference']) }),
});
