import { z } from 'zod';
import { promptTextSchema } from '../setting-parts.ts';
import { criterionShared } from './shared.ts';

/** Scored by a person's JavaScript, which must define a function `evaluate`; whether it does is checked where settings come in. */
export const functionCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('function'),
  config: z.strictObject({
    code: promptTextSchema.min(1, { error: 'must hold JavaScript that defines a function evaluate' }),
  }),
});
