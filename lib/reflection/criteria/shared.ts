import { z } from 'zod';
import { nameSchema, numberBetween } from '../setting-parts.ts';

/** What every criterion has, whatever scores it. Weights 0 to 100, thresholds 0 to 1. */
export const criterionShared = {
  name: nameSchema,
  description: z.string().max(2_000, { error: 'must be at most 2,000 characters' }).default(''),
  weight: numberBetween(0, 100).default(1),
  threshold: numberBetween(0, 1).default(0.7),
};
