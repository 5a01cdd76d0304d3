import { z } from 'zod';
import { promptTextSchema } from '../setting-parts.ts';
import { criterionShared } from './shared.ts';

/** Judged by a model, by a rubric. */
export const llmCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('llm'),
  config: z.strictObject({ rubric: promptTextSchema.optional() }).default({}),
});
