import type { CriterionOf } from '#lib/core/criterion.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { criterionResult } from './criterion-result.ts';
import type { CriterionResult } from './evaluator.ts';

export type ReferenceCriterion = CriterionOf<'reference'>;

/** A score against a reference. `reason` and the feedback must not give the reference away; `detail` may. */
export function referenceVerdict(
  { name }: ReferenceCriterion,
  score: number,
  reason: string,
  detail: string,
  answer: string | null,
): CriterionResult {
  const feedback = score === 1 ? 'correct' : score === 0 ? 'incorrect' : 'partly correct';
  return criterionResult({ criterion: name, score, reason, feedback, detail, answer });
}

/** How far two texts are alike by some measure, 0 to 1. */
export function likenessVerdict(
  criterion: ReferenceCriterion,
  measure: string,
  likeness: number,
  texts: { text: string; reference: string; answer: string },
): CriterionResult {
  const score = roundTo6(likeness);
  return referenceVerdict(
    criterion,
    score,
    `The answer is ${score} like the reference (${measure}).`,
    `${expectedAndGot(texts.reference, texts.text)} ${measure} ${score}.`,
    texts.answer,
  );
}

/** For people. */
export function expectedAndGot(reference: string, text: string): string {
  return `Expected ${shown(reference)}, got ${shown(text)}.`;
}

/** A text as a message shows it, on one line and cut at 200 characters. */
export function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 200 ? `${line.slice(0, 200)}…` : line}"`;
}
