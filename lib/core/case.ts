import { z } from 'zod';
import { caseCriteriaSchema } from './case-criteria.ts';

/**
 * One task of a run: what goes in, and what people know about the right answer. `criteria`: how it is scored otherwise than the experiment
 * says; left out or null: not at all.
 */
export const caseSchema = z.object({
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: caseCriteriaSchema.nullish(),
});
export type Case = z.infer<typeof caseSchema>;
