import { z } from 'zod';
import { criterionSchema } from './criterion-schema.ts';
import { nameSchema, numberBetween, oneOf } from './setting-parts.ts';

const changeSchema = z.strictObject({
  enabled: z.boolean({ error: 'must be true or false' }).optional(),
  threshold: numberBetween(0, 1).nullable().optional(),
  weight: numberBetween(0, 100).optional(),
});

/**
 * How one case is scored otherwise than its experiment says. `others`: whether the experiment's criteria that are not named here apply.
 * `change`: by the name of one of the experiment's criteria, whether it applies and its threshold and weight. `add`: criteria of the case's
 * own; one with the name of one of the experiment's takes its place. `qualityThreshold`: null, the experiment's.
 */
export const caseCriteriaSchema = z.strictObject({
  others: oneOf(['on', 'off']).default('on'),
  change: z
    .record(nameSchema, changeSchema)
    .refine((change) => Object.keys(change).length <= 50, { error: 'must name at most 50 criteria' })
    .default({}),
  add: z
    .array(criterionSchema, { error: 'must be a list of criteria' })
    .max(50, { error: 'must hold at most 50 criteria' })
    .refine((criteria) => new Set(criteria.map(({ name }) => name)).size === criteria.length, {
      error: 'must not contain two criteria with the same name',
    })
    .default([]),
  qualityThreshold: numberBetween(0, 1).nullable().default(null),
});
export type CaseCriteria = z.infer<typeof caseCriteriaSchema>;
export type CaseCriteriaInput = z.input<typeof caseCriteriaSchema>;
