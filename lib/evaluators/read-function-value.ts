import { z } from 'zod';
import { showValue } from '#lib/core/show-value.ts';

/** What a function said of an output. `score` runs from 0 to 1. */
export type FunctionVerdict = { score: number; message: string; issues: string[]; suggestions: string[] };

const LONGEST_TEXT = 2_000;
const MOST_TEXTS = 50;

const text = z.string().transform((value) => {
  const trimmed = value.trim();
  return trimmed.length > LONGEST_TEXT ? `${trimmed.slice(0, LONGEST_TEXT).toWellFormed()}…` : trimmed;
});
const texts = z
  .array(text)
  .max(MOST_TEXTS)
  .transform((list) => list.filter((one) => one !== ''));
const score = z.union([z.boolean().transform((passed) => (passed ? 1 : 0)), z.number().min(0).max(1)]);

const verdictSchema = z.union([
  score.transform((value) => ({ score: value })),
  z.tuple([score]).transform(([value]) => ({ score: value })),
  z.tuple([score, text.nullable()]).transform(([value, message]) => ({ score: value, message: message ?? '' })),
  z.object({ score, message: text.nullish(), issues: texts.nullish(), suggestions: texts.nullish() }),
]);

/**
 * Reads what `evaluate` returned: a score or true/false, `[passed, message]`, or `{score, message?, issues?, suggestions?}`.
 * `problem` says in words why it is no verdict. `json` as the sandbox gives it.
 */
export function readFunctionValue(
  json: string | null,
): { ok: true; verdict: FunctionVerdict } | { ok: false; problem: string } {
  if (json === null) return { ok: false, problem: 'It returned nothing.' };
  const value: unknown = JSON.parse(json);
  const parsed = verdictSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: `It returned ${shown(value)}. ${EXPECTED}` };
  const { message, issues, suggestions } = { message: '', issues: [], suggestions: [], ...parsed.data };
  return {
    ok: true,
    verdict: {
      score: parsed.data.score,
      message: message ?? '',
      issues: issues ?? [],
      suggestions: suggestions ?? [],
    },
  };
}

const EXPECTED = `Expected is a score from 0 to 1 or true or false; [passed, message]; or {score, message, issues, suggestions} with at most ${MOST_TEXTS} texts each.`;

/** Numbers that JSON has no word for come as {"notFinite": "NaN"}. */
function shown(value: unknown): string {
  return showValue(value).replaceAll(/\{"notFinite":"(-?\w+)"\}/g, '$1');
}
