import { z } from 'zod';
import { numberBetween, oneOf } from '../setting-parts.ts';
import { patternSchema } from './pattern.ts';
import { criterionShared } from './shared.ts';

/** How the `reference` evaluator makes two answers comparable before it matches them. */
const normalizationSchema = oneOf(['none', 'trim', 'lower', 'squad']);

/** Compared with the case's reference. */
export const referenceCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('reference'),
  config: z
    .strictObject({
      match: oneOf(['exact', 'contains', 'numeric', 'token_f1', 'edit', 'embedding']),
      normalize: normalizationSchema.optional(),
      extract: patternSchema.optional(),
      tolerance: numberBetween(0, 1e12).optional(),
    })
    .refine((config) => config.tolerance === undefined || config.match === 'numeric', {
      path: ['tolerance'],
      error: 'is only used with match "numeric"',
    }),
});
