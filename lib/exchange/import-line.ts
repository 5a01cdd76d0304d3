import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween, numberBetween } from '#lib/core/setting-parts.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { findJsonError } from '#lib/formats/find-json-error.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { storedAttemptSchema } from './stored-attempt.ts';

/** The most attempts of one history. */
export const MOST_ATTEMPTS_OF_RUN = 1_000;

const name = z
  .string({ error: 'must be a text' })
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(200, { error: 'must be at most 200 characters' });

function textUpTo(characters: number) {
  return z
    .string({ error: 'must be a text' })
    .max(characters, { error: `must be at most ${characters.toLocaleString('en-US')} characters` });
}

const issue = z.union([
  textUpTo(5_000).transform((text) => ({ criterion: null, text })),
  z.strictObject({ criterion: name.nullable().default(null), text: textUpTo(5_000) }),
]);

const count = integerBetween(0, 2_000_000_000);

/**
 * One attempt of a past run, as a line of JSON. Lines of one `run` and case make up one history. `score` (0 to 1) says how good the output
 * is and `solved` whether it is good enough; either may stand alone, and where both are null or missing the attempt is unscored. `tokens`:
 * those of input and output; a bare number counts as output. `experiment` and `stored` stand in what Hone itself exported.
 */
export const importLineSchema = z.strictObject({
  run: name,
  case: z.strictObject({ id: name, ...caseInputSchema.shape }),
  attempt: integerBetween(1, MOST_ATTEMPTS_OF_RUN),
  output: textUpTo(1_000_000),
  score: numberBetween(0, 1).nullable().default(null),
  solved: z.boolean({ error: 'must be true, false or null' }).nullable().default(null),
  issues: z.array(issue).max(200, { error: 'must be at most 200 issues' }).default([]),
  feedback: textUpTo(100_000).default(''),
  lesson: textUpTo(20_000).nullable().default(null),
  model: name.nullable().default(null),
  tokens: z
    .union([count.transform((output) => ({ input: 0, output })), z.strictObject({ input: count, output: count })], {
      error: 'must be a whole number, or {"input": …, "output": …}',
    })
    .nullable()
    .default(null),
  costUsd: numberBetween(0, 1_000_000).nullable().default(null),
  at: z.iso
    .datetime({ offset: true, error: 'must be a time as ISO 8601, such as 2026-01-31T12:00:00Z' })
    .transform((moment) => new Date(moment).toISOString())
    .nullable()
    .default(null),
  experiment: z.strictObject({ name, version: integerBetween(1, 1_000_000), settings: settingsSchema }).optional(),
  stored: storedAttemptSchema.optional(),
});
export type ImportLine = z.output<typeof importLineSchema>;

/** One line of an import. A problem's `field` is the column where the line stops being JSON, else the field at fault. */
export function readImportLine(text: string): Result<ImportLine> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const error = findJsonError(text);
    const found = error === null ? '' : `: unexpected ${error.found}`;
    return fail('invalid', `is not JSON${found}`, error === null ? null : `column ${error.column}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail('invalid', 'is not a JSON object');
  const parsed = parseInput(importLineSchema, value);
  return parsed.ok ? succeed(parsed.value) : parsed;
}
