import { distance } from 'fastest-levenshtein';
import type { CriterionOf } from '#lib/core/criterion-schema.ts';
import { UNSPACED_SCRIPTS } from '#lib/core/estimated-tokens.ts';
import { readNumber } from '#lib/core/read-number.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { normalizeAnswer, normalizeExactly } from '#lib/core/text-values.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { acceptedAnswers, MAX_ANSWERS } from './accepted-answers.ts';
import {
  type CriterionResult,
  criterionResult,
  type EvaluationRequest,
  type Evaluator,
  type EvaluatorOutcome,
  problemAt,
  unscored,
} from './evaluator.ts';
import { readJsonOutput } from './read-json-output.ts';
import { compilePattern, findMatches, patternProblem } from './regex.ts';
import { expectedCalls, toolCallFault } from './tool-calls.ts';

/** Maximum number of character pairs to compare, about half a second of work. */
const MAX_CHARACTER_PAIRS = 1_000_000_000;

/**
 * Returns the similarity of two texts, 0 to 1: 1 − Levenshtein distance / length of the longer one, in UTF-16 units. Two empty texts score
 * 1. Null if the texts are too long to compare quickly. Source: Levenshtein 1966; bit-parallel by Myers 1999.
 */
export function editSimilarity(one: string, other: string): number | null {
  const longer = Math.max(one.length, other.length);
  if (longer === 0 || one === other) return 1;
  if (one.length * other.length > MAX_CHARACTER_PAIRS) return null;
  return 1 - distance(one, other) / longer;
}

type ReferenceConfig = CriterionOf<'reference'>['config'];
type Normalization = NonNullable<ReferenceConfig['normalize']> | 'exactly';

/**
 * Normalization of both texts by default: `edit`, `embedding` and `tool_calls` only trim, and `token_f1` normalizes like SQuAD.
 * Equality and containment normalize like SQuAD too, except for numbers and names such as C++.
 */
const DEFAULT_NORMALIZATION: Record<ReferenceConfig['match'], Normalization> = {
  exact: 'exactly',
  contains: 'exactly',
  numeric: 'squad',
  token_f1: 'squad',
  edit: 'trim',
  embedding: 'trim',
  tool_calls: 'trim',
};

function normalizationOf({ match, normalize }: ReferenceConfig): Normalization {
  return normalize ?? DEFAULT_NORMALIZATION[match];
}

const NORMALIZED: Record<Normalization, (text: string) => string> = {
  none: (text) => text,
  trim: (text) => text.trim(),
  lower: (text) => text.trim().toLowerCase(),
  squad: normalizeAnswer,
  exactly: normalizeExactly,
};

/**
 * Returns a function that normalizes an answer and a reference. The answer is normalized only once, because it may be compared with many
 * references. A reference such as "The" or "A" is empty without articles. Then only the case is folded.
 */
function comparing(config: ReferenceConfig, text: string): (reference: string) => { answer: string; expected: string } {
  const way = normalizationOf(config);
  const answer = NORMALIZED[way](text);
  return (reference) => {
    const expected = NORMALIZED[way](reference);
    return way === 'none' || expected !== ''
      ? { answer, expected }
      : { answer: NORMALIZED.lower(text), expected: NORMALIZED.lower(reference) };
  };
}

/** Returns the cosine similarity of two vectors of equal length, −1 to 1. Returns 0 if one of them is all zeros. */
export function cosineSimilarity(one: number[], other: number[]): number {
  let product = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (const [at, value] of one.entries()) {
    const there = other[at] ?? 0;
    product += value * there;
    oneSquared += value * value;
    otherSquared += there * there;
  }
  const lengths = Math.sqrt(oneSquared) * Math.sqrt(otherSquared);
  return lengths === 0 ? 0 : product / lengths;
}

type ReferenceCriterion = CriterionOf<'reference'>;

/** Creates a result for a comparison with a reference. `reason` and the feedback must not reveal the reference. `detail` may. */
function referenceVerdict(
  { name }: ReferenceCriterion,
  score: number,
  reason: string,
  detail: string,
  answer: string | null,
): CriterionResult {
  const feedback = score === 1 ? 'correct' : score === 0 ? 'incorrect' : 'partly correct';
  return criterionResult({ criterion: name, score, reason, feedback, detail, answer });
}

/** Creates a result from the similarity of two texts by some measure, 0 to 1. */
function similarityVerdict(
  criterion: ReferenceCriterion,
  measure: string,
  similarity: number,
  texts: { text: string; reference: string; answer: string },
): CriterionResult {
  const score = roundTo6(similarity);
  return referenceVerdict(
    criterion,
    score,
    `The answer is ${score} like the reference (${measure}).`,
    `${expectedAndGot(texts.reference, texts.text)} ${measure} ${score}.`,
    texts.answer,
  );
}

/** For people. */
function expectedAndGot(reference: string, text: string): string {
  return `Expected ${shown(reference)}, got ${shown(text)}.`;
}

/** Formats a text for a message, on one line and cut at 200 characters. */
function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return `"${line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line}"`;
}

/** An answer and its reference, both in original and normalized form. */
type EmbeddingPair = {
  criterion: ReferenceCriterion;
  text: string;
  reference: string;
  answer: string;
  expected: string;
};

/** Maximum characters sent per text. Models accept far less and report an error. */
const MAX_EMBEDDED_TEXT_LENGTH = 100_000;
const MEASURE = 'embedding similarity';

/**
 * Scores pairs by the cosine similarity of their embeddings. Values below 0 count as 0. All pairs use a single call, or none if no pair
 * needs it. An empty answer scores 0, an answer equal to the reference 1.
 */
async function judgeByEmbedding(
  pairs: EmbeddingPair[],
  { settings, embed }: Pick<EvaluationRequest<'reference'>, 'settings' | 'embed'>,
): Promise<EvaluatorOutcome> {
  const known = pairs.map((pair) => judgeWithoutEmbedding(pair, settings.embeddingModel === null));
  const texts = [...new Set(pairs.flatMap(({ answer, expected }, at) => (known[at] ? [] : [answer, expected])))];
  if (texts.length === 0) return { ok: true, results: known.flatMap((one) => one ?? []), spend: NO_SPEND };
  const embedded = await embed(texts);
  if (!embedded.ok) return embedded;
  const vectorOf = new Map(texts.map((text, at) => [text, embedded.vectors[at] ?? []]));
  const results = pairs.map((pair, at) => {
    const cosine = cosineSimilarity(vectorOf.get(pair.answer) ?? [], vectorOf.get(pair.expected) ?? []);
    return known[at] ?? similarityVerdict(pair.criterion, MEASURE, Math.min(1, Math.max(0, cosine)), pair);
  });
  return { ok: true, results, spend: embedded.spend };
}

function judgeWithoutEmbedding(pair: EmbeddingPair, hasNoModel: boolean): CriterionResult | null {
  const { criterion, answer, expected } = pair;
  if (hasNoModel) return unscored(criterion.name, 'Not scored: the experiment names no embedding model.');
  if (expected.trim() === '') return unscored(criterion.name, 'Not scored: the reference is empty.');
  if (answer.trim() === '') return similarityVerdict(criterion, MEASURE, 0, pair);
  if (answer === expected) return similarityVerdict(criterion, MEASURE, 1, pair);
  if (Math.max(answer.length, expected.length) <= MAX_EMBEDDED_TEXT_LENGTH) return null;
  return unscored(criterion.name, 'Not scored: output or reference is too long to be embedded.');
}

/**
 * Returns the token overlap (F1) of two texts, 0 to 1: the harmonic mean of precision and recall. Repeated tokens count as often as they
 * occur in both. Texts are split at white space, and scripts without spaces into letters, so both should be normalized before. If one has
 * no tokens, returns 1 if the other has none either. Sources: Rajpurkar et al. 2016 and 2018, evaluation scripts of SQuAD 1.1 and 2.0;
 * Lewis et al. 2020, evaluation script of MLQA.
 */
export function tokenF1(answer: string, reference: string): number {
  const answerTokens = tokensOf(answer);
  const referenceTokens = tokensOf(reference);
  if (answerTokens.length === 0 || referenceTokens.length === 0)
    return answerTokens.length === referenceTokens.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of referenceTokens) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of answerTokens) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared++;
  }
  return (2 * shared) / (answerTokens.length + referenceTokens.length);
}

/** Letters of scripts without spaces are tokens of their own. */
const TOKEN = new RegExp(`[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])\\S)+`, 'gu');

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/**
 * Scores by comparing the output, or the last match of `extract` in it, with the case's reference.
 * - `exact` and `contains` (1 or 0) compare after normalizing both (see `normalizeExactly`, unless `normalize` overrides it);
 * - `numeric` (1 or 0) compares the last number in each: equal within `tolerance` (absolute), or else within a millionth of the reference;
 * - `token_f1` and `edit` (0 to 1) measure the similarity by words and by characters;
 * - `tool_calls` (1 or 0) compares the tool calls with those of the reference, which is JSON;
 * - `embedding` (0 to 1) compares embeddings, with one call for all such criteria.
 *
 * Of several right answers, the one that gives the highest score counts. The reference occurs only in `detail` and is never shown to
 * models, unless the request allows it.
 */
export const referenceEvaluator: Evaluator<'reference'> = {
  kind: 'reference',
  async evaluate(request) {
    const { criteria } = request;
    const judged = criteria.map((criterion) => judge(criterion, request));
    const embedded = await judgeByEmbedding(
      judged.flatMap((one) => ('pairs' in one ? one.pairs : [])),
      request,
    );
    if (!embedded.ok) return embedded;
    const compared = Map.groupBy(embedded.results, ({ criterion }) => criterion);
    const results = judged.flatMap((one) => ('pairs' in one ? best(compared.get(one.criterion) ?? []) : [one]));
    return {
      ok: true,
      results: request.mayQuoteReference ? results.map(withExpected) : results,
      spend: embedded.spend,
    };
  },
  async problem({ extract }) {
    return problemAt('extract', extract === undefined ? null : patternProblem(extract));
  },
};

/** Adds the expected and the compared answer to the feedback for models if the score is below 1. */
function withExpected(result: CriterionResult): CriterionResult {
  if (result.score === null || result.score === 1) return result;
  return { ...result, feedback: `${result.feedback}. ${result.detail}` };
}

/** Returns the result with the highest score, the first of equal ones. */
function best(results: readonly CriterionResult[]): CriterionResult[] {
  return results.toSorted((one, other) => (other.score ?? -1) - (one.score ?? -1)).slice(0, 1);
}

/** A result, or the answer with each right answer, whose texts still have to be embedded. */
type Judged = CriterionResult | { criterion: string; pairs: EmbeddingPair[] };

function judge(
  criterion: ReferenceCriterion,
  { settings, output, case: { reference } }: EvaluationRequest<'reference'>,
): Judged {
  const { name, config } = criterion;
  if (reference === null) return unscored(name, 'Not scored: the case has no reference.');
  if (config.match === 'tool_calls') {
    if (!mayCallTools(settings)) return unscored(name, 'Not scored: the prompt offers no tools.');
    return judgeCalls(criterion, output, reference);
  }
  const found = extracted(criterion, output);
  if (!found.ok) return unscored(name, found.reason);
  if (found.text === null) {
    const reason = 'Incorrect: the output has no answer that matches the answer pattern.';
    return referenceVerdict(criterion, 0, reason, `${reason} Expected ${shown(reference)}.`, null);
  }
  const { text } = found;
  const references = referencesFor(text, reference);
  if (references.length > MAX_ANSWERS)
    return unscored(
      name,
      `Not scored: the reference has ${references.length} right answers. Reduce them to ${MAX_ANSWERS} or fewer.`,
    );
  switch (config.match) {
    case 'exact':
    case 'contains':
      return judgeText(criterion, config.match, text, references, reference);
    case 'numeric':
      return judgeNumber(criterion, text, references);
    case 'token_f1':
    case 'edit':
      return judgeSimilarity(criterion, config.match, text, references);
    case 'embedding': {
      const compare = comparing(config, text);
      const pairs = references.map((one) => ({ criterion, text, reference: one, ...compare(one) }));
      return { criterion: name, pairs };
    }
  }
}

/** Returns the right answers to compare an answer with. An answer that is a JSON list is compared with the whole reference. */
function referencesFor(text: string, reference: string): string[] {
  const references = acceptedAnswers(reference);
  if (references.length === 1 && references[0] === reference) return references;
  const json = readJsonOutput(text);
  return json.ok && Array.isArray(json.value) ? [reference] : references;
}

/**
 * Returns true if the tool calls of an output count: the settings offer tools, or a target reports the calls it made. Otherwise the model
 * invented them.
 */
function mayCallTools({ generator }: EvaluationRequest<'reference'>['settings']): boolean {
  return generator.tools.length > 0 || generator.target !== null;
}

function judgeCalls(criterion: ReferenceCriterion, output: string, reference: string): CriterionResult {
  const expected = expectedCalls(reference);
  if (expected === null)
    return unscored(
      criterion.name,
      'Not scored: the reference is not JSON with tool calls, such as [{"name": "refund", "arguments": {"order": 7}}].',
    );
  const fault = toolCallFault(output, expected);
  const reason = fault === null ? 'Correct: the right tools are called.' : `Incorrect: ${fault}.`;
  return referenceVerdict(criterion, fault === null ? 1 : 0, reason, expectedAndGot(reference, output), null);
}

function judgeText(
  criterion: ReferenceCriterion,
  match: 'exact' | 'contains',
  text: string,
  references: readonly string[],
  whole: string,
): CriterionResult {
  const compare = comparing(criterion.config, text);
  const compared = references.map((reference) => ({ reference, ...compare(reference) }));
  const isLiteral = normalizationOf(criterion.config) !== 'exactly';
  const contains = (answer: string, expected: string) =>
    isLiteral ? answer.includes(expected) : includesAnswer(answer, expected);
  const matching = compared.find(({ answer, expected }) =>
    match === 'exact' ? answer === expected : expected !== '' && contains(answer, expected),
  );
  const reason =
    matching === undefined
      ? `Incorrect: the answer ${shown(text)} ${match === 'exact' ? 'is not' : 'does not contain'} the reference.`
      : `Correct: the answer ${match === 'exact' ? 'is' : 'contains'} the reference.`;
  const detail = expectedAndGot(matching?.reference ?? whole, text);
  const { answer = text } = matching ?? compared[0] ?? {};
  return referenceVerdict(criterion, matching === undefined ? 0 : 1, reason, detail, answer);
}

/** Returns true if an answer contains another text. A difference such as 8-5 does not contain the number -5. */
function includesAnswer(answer: string, expected: string): boolean {
  if (!/^-[\d.]/.test(expected)) return answer.includes(expected);
  return answer
    .split(expected)
    .slice(0, -1)
    .some((before) => !/\d$/.test(before));
}

function judgeNumber(criterion: ReferenceCriterion, text: string, references: readonly string[]): CriterionResult {
  const expected = references.flatMap((reference) => readNumber(reference) ?? []);
  if (expected.length === 0) return unscored(criterion.name, 'Not scored: the reference is not a number.');
  const got = readNumber(text);
  const detail = `Expected ${expected.join(' or ')}, got ${got ?? 'no number'}.`;
  if (got === null) return referenceVerdict(criterion, 0, 'Incorrect: the answer contains no number.', detail, null);
  const passed = expected.some(
    (number) => Math.abs(got - number) <= (criterion.config.tolerance ?? Math.abs(number) * 1e-6),
  );
  const reason = passed
    ? 'Correct: the number is the reference.'
    : `Incorrect: the number ${got} is not the reference.`;
  return referenceVerdict(criterion, passed ? 1 : 0, reason, detail, String(got));
}

function judgeSimilarity(
  criterion: ReferenceCriterion,
  match: 'token_f1' | 'edit',
  text: string,
  references: readonly string[],
): CriterionResult {
  const measure = match === 'token_f1' ? 'token F1' : 'edit similarity';
  const compare = comparing(criterion.config, text);
  const results = references.flatMap((reference) => {
    const { answer, expected } = compare(reference);
    const similarity = match === 'token_f1' ? tokenF1(answer, expected) : editSimilarity(answer, expected);
    return similarity === null ? [] : similarityVerdict(criterion, measure, similarity, { text, reference, answer });
  });
  const tooLong = 'Not scored: output and reference are too long to be compared letter by letter.';
  return best(results)[0] ?? unscored(criterion.name, tooLong);
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
