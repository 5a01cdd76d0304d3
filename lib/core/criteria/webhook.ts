import { z } from 'zod';
import { nameSchema } from '../setting-parts.ts';
import { criterionShared } from './shared.ts';

/** Scored by a service of the operator's own, registered under this name. */
export const webhookCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('webhook'),
  config: z.strictObject({ name: nameSchema }),
});
