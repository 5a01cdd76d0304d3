import type { AnswerSum } from '#lib/prompts/compare-answers.ts';
import { meanInterval } from '#lib/statistics/intervals.ts';
import { type ProofRow, scoredOf } from './proof-rows.ts';

/** The draft alone under the model in this place, over the cases that it is scored on. */
export function sumOfDraft(rows: readonly ProofRow[], place: number): AnswerSum {
  const scored = rows.flatMap(({ pairs }) => scoredOf(pairs[place]?.after ?? null) ?? []);
  const scores = scored.flatMap(({ score }) => score ?? []);
  return {
    right: scored.filter(({ score, satisfactory }) => score !== null && satisfactory).length,
    scores: meanInterval(scores),
  };
}
