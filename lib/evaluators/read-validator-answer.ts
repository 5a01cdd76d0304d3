import { z } from 'zod';
import { numberBetween } from '#lib/core/setting-parts.ts';

const text = z.string({ error: 'must be a text' }).max(10_000, { error: 'must be at most 10,000 characters' });
const list = z
  .array(text.min(1, { error: 'must not be empty' }), { error: 'must be a list of texts' })
  .max(50, { error: 'must hold at most 50 texts' });

/** What an external validator answers; more than this is left unread. A score runs from 0 to 1. */
const answerSchema = z.object(
  {
    score: numberBetween(0, 1),
    reason: text.nullish(),
    feedback: text.nullish(),
    issues: list.nullish(),
    suggestions: list.nullish(),
  },
  { error: 'must be a JSON object' },
);

export type ValidatorAnswer = {
  score: number;
  reason: string;
  feedback: string;
  issues: string[];
  suggestions: string[];
};

/** Reads a validator's answer; `problem` says what of it does not fit: "score must be a number from 0 to 1, got 7". */
export function readValidatorAnswer(
  json: unknown,
): { ok: true; answer: ValidatorAnswer } | { ok: false; problem: string } {
  const parsed = answerSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join('.') || 'it';
    return { ok: false, problem: `${field} ${issue?.message ?? 'does not fit'}` };
  }
  const { score, reason, feedback, issues, suggestions } = parsed.data;
  const clean = (texts: string[] | null | undefined) =>
    (texts ?? []).map((one) => one.trim()).filter((one) => one !== '');
  return {
    ok: true,
    answer: {
      score,
      reason: reason?.trim() ?? '',
      feedback: feedback?.trim() ?? '',
      issues: clean(issues),
      suggestions: clean(suggestions),
    },
  };
}
