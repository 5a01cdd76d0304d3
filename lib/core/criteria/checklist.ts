import { z } from 'zod';
import { showValue } from '../show-value.ts';
import { criterionShared } from './shared.ts';

const LENGTHS = 'must be 1 to 50 items';
const itemSchema = z
  .string({ error: (issue) => `must be a text of 1 to 500 characters, got ${showValue(issue.input)}` })
  .trim()
  .min(1, { error: 'must not be empty (1 to 500 characters)' })
  .max(500, { error: 'must be at most 500 characters' });

/** Judged by a model, item by item with yes or no; the score is the share of yes. */
export const checklistCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('checklist'),
  config: z.strictObject({
    items: z
      .array(itemSchema, { error: (issue) => `must be a list of 1 to 50 items, got ${showValue(issue.input)}` })
      .min(1, { error: LENGTHS })
      .max(50, { error: LENGTHS })
      .refine((items) => new Set(items).size === items.length, { error: 'must not hold an item twice' }),
  }),
});
