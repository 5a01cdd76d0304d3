import type { CritiqueResponse } from '#lib/core/prompts/critique-prompt.ts';
import { quote } from '#lib/core/prompts/quote.ts';
import { answer } from './answer.ts';
import type { Judgement } from './critique.ts';

/** Prompts of a loop, built like those in lib/core/prompts, for the practice model's own tests. */

export function bullets(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function generate(task: string, lessons: string[] = []): string {
  const parts = [quote('task', task), ...(lessons.length > 0 ? [quote('lessons', bullets(lessons))] : [])];
  return answer('generate', parts.join('\n\n'), false);
}

export function evaluate(task: string, candidate: string, criteria: string[]): Judgement {
  const parts = [quote('task', task), quote('candidate', candidate), quote('criteria', bullets(criteria))];
  return JSON.parse(answer('evaluate', parts.join('\n\n'), true));
}

export function reflect(task: string, candidate: string, judgement: Judgement | null): CritiqueResponse {
  const parts = [quote('task', task), quote('candidate', candidate)];
  if (judgement !== null) {
    const lines = judgement.criteria.map(
      ({ name, score, reason }) => `${name}: ${score.toFixed(2)} (needs 0.70): ${reason}`,
    );
    parts.push(quote('scores', bullets(lines)));
  }
  return JSON.parse(answer('reflect', parts.join('\n\n'), true));
}

type RevisionFeedback = {
  summary: string;
  issues: { text: string; criterion?: string | null }[];
  suggestions: string[];
};

/** Returns the raw response. `form` contains the sections with the requested response format. */
export function revise(
  task: string,
  draft: string,
  critique: RevisionFeedback,
  guidance: string | null = null,
  form: { sections: string[]; asJson: boolean } = { sections: [], asJson: false },
): string {
  const parts = [quote('task', task), quote('draft', draft)];
  if (critique.issues.length > 0) parts.push(quote('issues', bullets(critique.issues.map(({ text }) => text))));
  if (critique.suggestions.length > 0) parts.push(quote('suggestions', bullets(critique.suggestions)));
  if (guidance !== null) parts.push(quote('guidance', guidance));
  return answer('revise', [...parts, ...form.sections].join('\n\n'), form.asJson);
}

export function lesson(task: string, attempt: string, feedback: string, earlier: string[]): string {
  const parts = [quote('task', task), quote('attempt', attempt)];
  if (feedback !== '') parts.push(quote('feedback', feedback));
  if (earlier.length > 0) parts.push(quote('lessons', bullets(earlier)));
  return answer('lesson', parts.join('\n\n'), false);
}

export function overall(judgement: Judgement): number {
  return judgement.criteria.reduce((sum, { score }) => sum + score, 0) / judgement.criteria.length;
}
