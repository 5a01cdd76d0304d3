import type { CriterionOf } from '#lib/reflection/criterion.ts';
import { NO_SPEND } from '#lib/reflection/history.ts';
import { normalizeAnswer } from '#lib/reflection/normalize-answer.ts';
import { compilePattern } from './compile-pattern.ts';
import type { CriterionResult, Evaluator } from './evaluator.ts';
import { findMatches } from './find-matches.ts';
import { readNumber } from './read-number.ts';

/**
 * Scores 1 or 0 by comparing the output, or the part that `extract` finds last in it, with the case's reference.
 * - `exact` and `contains` compare after normalising both (SQuAD v1.1 unless `normalize` says otherwise);
 * - `numeric` compares the last number in each: equal within `tolerance` (absolute), or else within a millionth of the reference.
 * The reference stands in `detail` only, never in what models are told.
 */
export const referenceEvaluator: Evaluator<'reference'> = {
  kind: 'reference',
  async evaluate({ criteria, output, case: { reference } }) {
    return { ok: true, results: criteria.map((criterion) => judge(criterion, output, reference)), spend: NO_SPEND };
  },
};

type ReferenceCriterion = CriterionOf<'reference'>;

function judge(criterion: ReferenceCriterion, output: string, reference: string | null): CriterionResult {
  if (reference === null) return unscored(criterion, 'Not scored: the case has no reference.');
  const found = extracted(criterion, output);
  if (!found.ok) return unscored(criterion, found.reason);
  if (found.text === null) {
    const reason = 'Incorrect: the output has no answer in the form that is looked for.';
    return verdict(criterion, false, reason, `${reason} Expected ${shown(reference)}.`, null);
  }
  return criterion.config.match === 'numeric'
    ? judgeNumber(criterion, found.text, reference)
    : judgeText(criterion, criterion.config.match, found.text, reference);
}

function judgeText(
  criterion: ReferenceCriterion,
  match: 'exact' | 'contains',
  text: string,
  reference: string,
): CriterionResult {
  const normalize = criterion.config.normalize ?? 'squad';
  // "The" or "A" as a reference is nothing after SQuAD's normalisation, and any text contains nothing.
  const way = normalize === 'squad' && normalizeAnswer(reference) === '' ? 'lower' : normalize;
  const expected = normalized(reference, way);
  const answer = normalized(text, way);
  const passed = match === 'exact' ? answer === expected : expected !== '' && answer.includes(expected);
  const reason = passed
    ? `Correct: the answer ${match === 'exact' ? 'is' : 'contains'} the reference.`
    : `Incorrect: the answer ${shown(text)} ${match === 'exact' ? 'is not' : 'does not contain'} the reference.`;
  return verdict(criterion, passed, reason, `Expected ${shown(reference)}, got ${shown(text)}.`, answer);
}

function judgeNumber(criterion: ReferenceCriterion, text: string, reference: string): CriterionResult {
  const expected = readNumber(reference);
  if (expected === null) return unscored(criterion, 'Not scored: the reference is not a number.');
  const got = readNumber(text);
  const detail = `Expected ${expected}, got ${got ?? 'no number'}.`;
  if (got === null) return verdict(criterion, false, 'Incorrect: the answer holds no number.', detail, null);
  const tolerance = criterion.config.tolerance ?? Math.abs(expected) * 1e-6;
  const passed = Math.abs(got - expected) <= tolerance;
  const reason = passed
    ? 'Correct: the number is the reference.'
    : `Incorrect: the number ${got} is not the reference.`;
  return verdict(criterion, passed, reason, detail, String(got));
}

function extracted(
  { config }: ReferenceCriterion,
  output: string,
): { ok: true; text: string | null } | { ok: false; reason: string } {
  if (config.extract === undefined) return { ok: true, text: output };
  const compiled = compilePattern(config.extract);
  if (!compiled.ok) return { ok: false, reason: `Not scored: the extract pattern ${compiled.problem}.` };
  const found = findMatches(compiled.pattern, output);
  return found.ok ? { ok: true, text: found.last } : { ok: false, reason: `Not scored: ${found.reason}.` };
}

function normalized(text: string, way: NonNullable<ReferenceCriterion['config']['normalize']>): string {
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

function verdict(
  criterion: ReferenceCriterion,
  passed: boolean,
  reason: string,
  detail: string,
  answer: string | null,
): CriterionResult {
  const feedback = passed ? 'correct' : 'incorrect';
  const { name } = criterion;
  return {
    criterion: name,
    score: passed ? 1 : 0,
    reason,
    issues: [],
    suggestions: [],
    confidence: null,
    feedback,
    detail,
    answer,
  };
}

function unscored(criterion: ReferenceCriterion, reason: string): CriterionResult {
  return {
    criterion: criterion.name,
    score: null,
    reason,
    issues: [],
    suggestions: [],
    confidence: null,
    feedback: '',
    detail: reason,
    answer: null,
  };
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 200 ? `${line.slice(0, 200)}…` : line}"`;
}
