/** Maximum number of right answers of a case. A longer list counts as one answer, so that comparisons stay fast. */
const MAX_ANSWERS = 100;

/** Returns the right answers of a reference: the texts of a JSON list of up to 100 texts, otherwise the reference. */
export function acceptedAnswers(reference: string): string[] {
  if (!/^\s*\[\s*"/.test(reference)) return [reference];
  try {
    const list: unknown = JSON.parse(reference);
    const isAnswers = Array.isArray(list) && list.length <= MAX_ANSWERS && list.every((one) => typeof one === 'string');
    return isAnswers ? list : [reference];
  } catch {
    return [reference];
  }
}
