import { z } from 'zod';
import { nameSchema, numberBetween } from '../setting-parts.ts';

/**
 * The settings every criterion has, whatever scores it. Weights 0 to 100. `threshold` 0 to 1 is the criterion's own bar, beside
 * the overall `qualityThreshold`; null (the default): the overall one alone decides. Settings that were stored before null was
 * the default hold the 0.7 that they ran with, and keep it.
 */
export const criterionShared = {
  name: nameSchema,
  description: z.string().max(2_000, { error: 'must be at most 2,000 characters' }).default(''),
  weight: numberBetween(0, 100).default(1),
  threshold: numberBetween(0, 1).nullable().default(null),
};
