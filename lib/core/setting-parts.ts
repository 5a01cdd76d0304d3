import { z } from 'zod';
import { formatTaskType } from './lesson-schema.ts';
import { showValue, visibleName } from './text-values.ts';

/** A finite number from `min` to `max`; anything else is refused with the value and the range, and `orElse` that may stand there too. */
export function numberBetween(
  min: number,
  max: number,
  kind: 'number' | 'whole number' = 'number',
  orElse: string | null = null,
) {
  const error = (issue: { input?: unknown }) =>
    `must be a ${kind} from ${inFull(min)} to ${inFull(max)}${orElse === null ? '' : `, or ${orElse}`}, got ${showValue(issue.input)}`;
  const fits = (value: number) => value >= min && value <= max && (kind === 'number' || Number.isInteger(value));
  // The range is told in the API's description too.
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

/** One of a few words; anything else is refused with the value and the words. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: (issue) => `must be one of ${values.join(', ')}, got ${showValue(issue.input)}` });
}

/** A short stored name: 1 to 120 characters once trimmed, without those that nobody sees. */
export const nameSchema = z
  .string({ error: (issue) => `must be a text of 1 to 120 characters, got ${showValue(issue.input)}` })
  .overwrite(visibleName)
  .trim()
  .min(1, { error: 'must not be empty (1 to 120 characters)' })
  .max(120, { error: 'must be at most 120 characters' });

/** A prompt, or what else a person writes for models, code and schemas: up to 50,000 characters. */
export const promptTextSchema = z.string().max(50_000, { error: 'must be at most 50,000 characters' });

/** A task type: one of `TASK_TYPES` or any other name, in lower case and with single spaces, so that the same name is the same type. */
export const taskTypeSchema = nameSchema.overwrite(formatTaskType);
