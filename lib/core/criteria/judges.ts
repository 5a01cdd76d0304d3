import { z } from 'zod';
import { nameSchema, numberBetween, oneOf, promptTextSchema } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { patternSchema } from './checks.ts';
import { criterionShared } from './shared.ts';

/** Judged by a model, by a rubric. */
export const llmCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('llm'),
  config: z.strictObject({ rubric: promptTextSchema.optional() }).default({}),
});

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

/**
 * Judged by a model side by side with another text, in both orders: the version before, the best one so far, or the case's
 * reference. A win in both is 1, a loss in both 0, all else a tie, 0.5; so a threshold of up to 0.5 takes "no worse".
 */
export const comparisonCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('comparison'),
  config: z.strictObject({ against: oneOf(['previous', 'best', 'reference']) }),
});

/** Scored by a person: the run waits for them. `question` is what they are asked. */
export const humanCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('human'),
  config: z
    .strictObject({
      question: z.string().trim().max(2_000, { error: 'must be at most 2,000 characters' }).optional(),
    })
    .default({}),
});

/** What stands for the reason of a criterion that no person has scored yet. */
export const WAITS_FOR_A_PERSON = 'Waits for a person’s score.';

/** Scored by a service of the operator's own, registered under this name. */
export const webhookCriterionSchema = z.strictObject({
  ...criterionShared,
  evaluator: z.literal('webhook'),
  config: z.strictObject({ name: nameSchema }),
});

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
