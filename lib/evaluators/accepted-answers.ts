import { parseJson } from '#lib/core/json-values.ts';

/** Maximum number of right answers of a case. A longer list counts as one answer, so that comparisons stay fast. */
const MAX_ANSWERS = 500;

/** Returns the right answers of a reference: the texts of a JSON list of up to 500 texts, otherwise the reference. */
export function acceptedAnswers(reference: string): string[] {
  const list = /^\s*\[\s*"/.test(reference) ? parseJson(reference) : null;
  const isAnswers = Array.isArray(list) && list.length <= MAX_ANSWERS && list.every((one) => typeof one === 'string');
  return isAnswers ? list : [reference];
}
