import { parseJson } from '#lib/core/json-values.ts';

/** Maximum number of right answers of a case that are compared with an output, so that comparisons stay fast. */
export const MAX_ANSWERS = 500;

/** Returns the right answers of a reference: the texts of a JSON list of texts, otherwise the reference. */
export function acceptedAnswers(reference: string): string[] {
  const list = /^\s*\[\s*"/.test(reference) ? parseJson(reference) : null;
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : [reference];
}
