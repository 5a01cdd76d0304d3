import { z } from 'zod';
import { isDeeper, parseJson } from './json-values.ts';
import { formatTaskType } from './lesson-schema.ts';
import { showValue } from './text-values.ts';
import { visibleName } from './visible-name.ts';

/** Returns a schema for a finite number from `min` to `max`. The error contains the value, the range and the alternative `orElse`. */
export function numberBetween(
  min: number,
  max: number,
  kind: 'number' | 'whole number' = 'number',
  orElse: string | null = null,
) {
  const error = mustBe(`a ${kind} from ${inFull(min)} to ${inFull(max)}${orElse === null ? '' : `, or ${orElse}`}`);
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

/** Returns the error message of a value that is not what it must be, with the value. */
export function mustBe(what: string): (issue: { input?: unknown }) => string {
  return ({ input }) => `must be ${what}, got ${showValue(input)}`;
}

/** Returns the message of an issue. If it is the limit of a text, it ends with the length of the text, which needs `reportInput`. */
export function withLength({ message, input }: z.core.$ZodIssue): string {
  const isLimit = typeof input === 'string' && /at most [\d,]+ characters$/.test(message);
  return isLimit ? `${message}, got ${input.length.toLocaleString('en-US')}` : message;
}

export function areUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** Returns a schema for one of a few values. The error contains the value and the allowed ones. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: mustBe(`one of ${values.join(', ')}`) });
}

/** Like `oneOf`, for values that the error does not repeat, such as query parameters. */
export function choiceOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

/** A short stored name: 1 to 120 characters after trimming, without invisible ones. */
export const nameSchema = z
  .string({ error: mustBe('a text of 1 to 120 characters') })
  .overwrite(visibleName)
  .trim()
  .min(1, { error: 'must not be empty (1 to 120 characters)' })
  .max(120, { error: 'must be at most 120 characters' });

/** A prompt, or other user-written text for models, code and schemas: up to 50,000 characters. */
export const promptTextSchema = z.string().max(50_000, { error: 'must be at most 50,000 characters' });

/** A task type: one of `TASK_TYPES` or any other name. Normalized to lower case and single spaces, so that equal names are equal types. */
export const taskTypeSchema = nameSchema.overwrite(formatTaskType);

const MAX_SCHEMA_LENGTH = 50_000;
const MAX_SCHEMA_DEPTH = 40;

/** Parsed JSON needs no further check. `z.json()` is recursive, which the API description cannot name. */
export const anyJson = z.custom<z.core.util.JSONType>(() => true);

type JsonSchema = Record<string, z.core.util.JSONType>;

/** A user-written JSON Schema, limited in size and depth. Its usability is checked when settings are validated. */
export const jsonSchemaSetting = z
  .record(z.string(), anyJson, { error: mustBe('a JSON Schema (an object)') })
  .overwrite(unpacked)
  .refine((schema) => !isDeeper(schema, MAX_SCHEMA_DEPTH), {
    error: `must be nested at most ${MAX_SCHEMA_DEPTH} levels deep`,
    abort: true,
  })
  .refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_LENGTH, {
    error: `must be at most ${MAX_SCHEMA_LENGTH.toLocaleString('en-US')} characters as JSON`,
  });

const AS_TEXT = 'x-hone-text';

/** Packs a JSON Schema as text, because JSONB sorts members and models write members in the order of the schema. */
export function packJsonSchema(schema: JsonSchema): JsonSchema {
  return { [AS_TEXT]: JSON.stringify(schema) };
}

/** Returns the schema inside a packed one, and any other schema unchanged. */
function unpacked(schema: JsonSchema): JsonSchema {
  const text = schema[AS_TEXT];
  if (typeof text !== 'string') return schema;
  return z.record(z.string(), anyJson).safeParse(parseJson(text)).data ?? schema;
}
