import { readNumber } from '#lib/core/read-number.ts';
import { compilePattern } from './compile-pattern.ts';
import { unscored } from './criterion-result.ts';
import { editLikeness } from './edit-likeness.ts';
import type { CriterionResult, Evaluator } from './evaluator.ts';
import { findMatches } from './find-matches.ts';
import { comparable } from './normalized-answer.ts';
import { type EmbeddingPair, judgeByEmbedding } from './reference-embedding.ts';
import {
  expectedAndGot,
  likenessVerdict,
  type ReferenceCriterion,
  referenceVerdict,
  shown,
} from './reference-verdict.ts';
import { tokenF1 } from './token-f1.ts';

/**
 * Scores by comparing the output, or the part that `extract` finds last in it, with the case's reference.
 * - `exact` and `contains` (1 or 0) compare after normalising both (SQuAD v1.1 unless `normalize` says otherwise);
 * - `numeric` (1 or 0) compares the last number in each: equal within `tolerance` (absolute), or else within a millionth of the reference;
 * - `token_f1` and `edit` (0 to 1) say how alike both are, by words and by letters;
 * - `embedding` (0 to 1) by what an embedding model makes of them, all such criteria in one call.
 * The reference stands in `detail` only, never in what models are told, unless the request allows it.
 */
export const referenceEvaluator: Evaluator<'reference'> = {
  kind: 'reference',
  async evaluate(request) {
    const { criteria, output } = request;
    const judged = criteria.map((criterion) => judge(criterion, output, request.case.reference));
    const embedded = await judgeByEmbedding(
      judged.flatMap((one) => ('pair' in one ? [one.pair] : [])),
      request,
    );
    if (!embedded.ok) return embedded;
    const compared = new Map(embedded.results.map((result) => [result.criterion, result]));
    const results = judged.flatMap((one) => ('pair' in one ? (compared.get(one.pair.criterion.name) ?? []) : [one]));
    return {
      ok: true,
      results: request.mayQuoteReference ? results.map(withExpected) : results,
      spend: embedded.spend,
    };
  },
};

/** Adds the expected and the compared answer to what models are told of one that is not right. */
function withExpected(result: CriterionResult): CriterionResult {
  if (result.score === null || result.score === 1) return result;
  return { ...result, feedback: `${result.feedback}. ${result.detail}` };
}

/** A verdict, or two texts that are still to be embedded. */
type Judged = CriterionResult | { pair: EmbeddingPair };

function judge(criterion: ReferenceCriterion, output: string, reference: string | null): Judged {
  const { name, config } = criterion;
  if (reference === null) return unscored(name, 'Not scored: the case has no reference.');
  const found = extracted(criterion, output);
  if (!found.ok) return unscored(name, found.reason);
  if (found.text === null) {
    const reason = 'Incorrect: the output has no answer in the form that is looked for.';
    return referenceVerdict(criterion, 0, reason, `${reason} Expected ${shown(reference)}.`, null);
  }
  switch (config.match) {
    case 'exact':
    case 'contains':
      return judgeText(criterion, config.match, found.text, reference);
    case 'numeric':
      return judgeNumber(criterion, found.text, reference);
    case 'token_f1':
    case 'edit':
      return judgeLikeness(criterion, config.match, found.text, reference);
    case 'embedding': {
      const texts = { text: found.text, reference };
      return { pair: { criterion, ...texts, ...comparable(config, found.text, reference) } };
    }
  }
}

function judgeText(
  criterion: ReferenceCriterion,
  match: 'exact' | 'contains',
  text: string,
  reference: string,
): CriterionResult {
  const { answer, expected } = comparable(criterion.config, text, reference);
  const passed = match === 'exact' ? answer === expected : expected !== '' && answer.includes(expected);
  const reason = passed
    ? `Correct: the answer ${match === 'exact' ? 'is' : 'contains'} the reference.`
    : `Incorrect: the answer ${shown(text)} ${match === 'exact' ? 'is not' : 'does not contain'} the reference.`;
  return referenceVerdict(criterion, passed ? 1 : 0, reason, expectedAndGot(reference, text), answer);
}

function judgeNumber(criterion: ReferenceCriterion, text: string, reference: string): CriterionResult {
  const expected = readNumber(reference);
  if (expected === null) return unscored(criterion.name, 'Not scored: the reference is not a number.');
  const got = readNumber(text);
  const detail = `Expected ${expected}, got ${got ?? 'no number'}.`;
  if (got === null) return referenceVerdict(criterion, 0, 'Incorrect: the answer holds no number.', detail, null);
  const tolerance = criterion.config.tolerance ?? Math.abs(expected) * 1e-6;
  const passed = Math.abs(got - expected) <= tolerance;
  const reason = passed
    ? 'Correct: the number is the reference.'
    : `Incorrect: the number ${got} is not the reference.`;
  return referenceVerdict(criterion, passed ? 1 : 0, reason, detail, String(got));
}

function judgeLikeness(
  criterion: ReferenceCriterion,
  match: 'token_f1' | 'edit',
  text: string,
  reference: string,
): CriterionResult {
  const { answer, expected } = comparable(criterion.config, text, reference);
  const likeness = match === 'token_f1' ? tokenF1(answer, expected) : editLikeness(answer, expected);
  if (likeness === null)
    return unscored(criterion.name, 'Not scored: output and reference are too long to be compared letter by letter.');
  const measure = match === 'token_f1' ? 'token F1' : 'edit similarity';
  return likenessVerdict(criterion, measure, likeness, { text, reference, answer });
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
