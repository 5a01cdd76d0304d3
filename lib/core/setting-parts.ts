import { z } from 'zod';
import { formatTaskType } from './lesson-schema.ts';
import { showValue, visibleName } from './text-values.ts';

/** Returns a schema for a finite number from `min` to `max`. The error contains the value, the range and the alternative `orElse`. */
export function numberBetween(
  min: number,
  max: number,
  kind: 'number' | 'whole number' = 'number',
  orElse: string | null = null,
) {
  const error = (issue: { input?: unknown }) =>
    `must be a ${kind} from ${inFull(min)} to ${inFull(max)}${orElse === null ? '' : `, or ${orElse}`}, got ${showValue(issue.input)}`;
  const fits = (value: number) => value >= min && value <= max && (kind === 'number' || Number.isInteger(value));
  // The API description also contains the range.
  return z
    .number({ error })
    .refine(fits, { error })
    .meta({ minimum: min, maximum: max, ...(kind === 'whole number' && { type: 'integer' }) });
}

export function integerBetween(min: number, max: number) {
  return numberBetween(min, max, 'whole number');
}

function inFull(bound: number): string {
  return bound.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** Returns a schema for one of a few values. The error contains the value and the allowed ones. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: (issue) => `must be one of ${values.join(', ')}, got ${showValue(issue.input)}` });
}

/** A short stored name: 1 to 120 characters after trimming, without invisible ones. */
export const nameSchema = z
  .string({ error: (issue) => `must be a text of 1 to 120 characters, got ${showValue(issue.input)}` })
  .overwrite(visibleName)
  .trim()
  .min(1, { error: 'must not be empty (1 to 120 characters)' })
  .max(120, { error: 'must be at most 120 characters' });

/** A prompt, or other user-written text for models, code and schemas: up to 50,000 characters. */
export const promptTextSchema = z.string().max(50_000, { error: 'must be at most 50,000 characters' });

/** A task type: one of `TASK_TYPES` or any other name. Normalized to lower case and single spaces, so that equal names are equal types. */
export const taskTypeSchema = nameSchema.overwrite(formatTaskType);
