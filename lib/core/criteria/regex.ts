import { z } from 'zod';
import { integerBetween } from '../setting-parts.ts';
import { patternSchema } from './pattern.ts';
import { criterionShared } from './shared.ts';

/** Scored by whether, or how often, a pattern matches. */
export const regexCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('regex'),
  config: z
    .strictObject({
      pattern: patternSchema,
      flags: z
        .string()
        .regex(/^[ims]*$/, { error: 'may hold i (any case), m (lines), s (dot matches line ends)' })
        .optional(),
      mustMatch: z.boolean().default(true),
      min: integerBetween(0, 1_000_000).optional(),
      max: integerBetween(0, 1_000_000).optional(),
    })
    .refine((config) => config.min === undefined || config.max === undefined || config.min <= config.max, {
      path: ['min'],
      error: 'must not be above max',
    }),
});
