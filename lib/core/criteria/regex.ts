import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { showValue } from '#lib/core/text-values.ts';
import { CRITERION_REMEDY, defineCriterion } from './definition.ts';

/** A pattern in RE2 syntax; whether it compiles is checked where settings come in. */
export const patternSchema = z
  .string({ error: (issue) => `must be a pattern of 1 to 2,000 characters, got ${showValue(issue.input)}` })
  .min(1, { error: 'must be a pattern of 1 to 2,000 characters' })
  .max(2_000, { error: 'must be a pattern of 1 to 2,000 characters' });

/** Scored by whether, or how often, a pattern matches. */
export const regexCriterion = defineCriterion({
  kind: 'regex',
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
  label: 'Pattern',
  name: 'pattern',
  summary: ({ mustMatch, pattern }) => `${mustMatch ? 'must match' : 'must not match'} ${pattern}`,
  fields: {
    pattern: { type: 'text', label: 'Pattern', help: 'Searched for in the output', columns: 2 },
    flags: {
      type: 'text',
      label: 'Flags',
      help: 'i any case, m by line, s dot matches line ends',
      columns: 2,
      optional: true,
    },
    mustMatch: {
      type: 'checkbox',
      label: 'Must be found',
      help: 'If off, the pattern must not be found',
      columns: 3,
      initially: true,
    },
    min: { type: 'number', label: 'Minimum matches', help: 'Default: any number', columns: 3 },
    max: { type: 'number', label: 'Maximum matches', help: 'Default: any number', columns: 3 },
  },
  remedy: CRITERION_REMEDY,
});
