import type { CriterionOf } from '#lib/core/criterion.ts';
import { normalizeAnswer } from '#lib/core/normalize-answer.ts';

type ReferenceConfig = CriterionOf<'reference'>['config'];
export type Normalization = NonNullable<ReferenceConfig['normalize']>;

/** What is done to both texts where the criterion does not say: words are compared as SQuAD does, letters and meaning as they stand. */
export function normalizationOf({ match, normalize }: ReferenceConfig): Normalization {
  if (normalize !== undefined) return normalize;
  switch (match) {
    case 'exact':
    case 'contains':
    case 'numeric':
    case 'token_f1':
      return 'squad';
    case 'edit':
    case 'embedding':
      return 'trim';
  }
}

/** A text made comparable. */
export function normalizedAnswer(text: string, way: Normalization): string {
  switch (way) {
    case 'none':
      return text;
    case 'trim':
      return text.trim();
    case 'lower':
      return text.trim().toLowerCase();
    case 'squad':
      return normalizeAnswer(text);
  }
}

/** Both texts made comparable. "The" or "A" as a reference is nothing after SQuAD's normalisation; then only case is folded. */
export function comparable(
  config: ReferenceConfig,
  text: string,
  reference: string,
): { answer: string; expected: string } {
  const way = normalizationOf(config);
  const kept = way === 'squad' && normalizeAnswer(reference) === '' ? 'lower' : way;
  return { answer: normalizedAnswer(text, kept), expected: normalizedAnswer(reference, kept) };
}
