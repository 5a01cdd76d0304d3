import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { CriterionOf } from '#lib/core/criterion-schema.ts';
import { getPassThreshold } from '#lib/core/score-evaluation.ts';
import { showValue } from '#lib/core/text-values.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import {
  JAVASCRIPT_MEMORY_BYTES,
  JAVASCRIPT_TIME_MS,
  type JavascriptResult,
  runJavascript,
} from '#lib/evaluators/javascript/run-javascript.ts';
import { type CriterionResult, criterionResult, type Evaluator, problemAt, shortScore } from './evaluator.ts';
import { quotesReference, unscoredQuietly, withheldNote } from './quotes-reference.ts';

/** Result of a function for an output. `score` is from 0 to 1. */
type FunctionVerdict = { score: number; message: string; issues: string[]; suggestions: string[] };

const MAX_TEXT_LENGTH = 2_000;
const MAX_TEXTS = 50;

const text = z.string().transform((value) => {
  const trimmed = value.trim();
  return trimmed.length > MAX_TEXT_LENGTH ? `${trimmed.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : trimmed;
});
const texts = z
  .array(text)
  .max(MAX_TEXTS)
  .transform((list) => list.filter((one) => one !== ''));
const score = z.union([z.boolean().transform((passed) => (passed ? 1 : 0)), z.number().min(0).max(1)]);

const verdictSchema = z.union([
  score.transform((value) => ({ score: value })),
  z.tuple([score]).transform(([value]) => ({ score: value })),
  z.tuple([score, text.nullable()]).transform(([value, message]) => ({ score: value, message: message ?? '' })),
  z
    .object({
      score,
      message: text.nullish(),
      reason: text.nullish(),
      issues: texts.nullish(),
      suggestions: texts.nullish(),
    })
    .transform(({ reason, ...verdict }) => ({ ...verdict, message: verdict.message ?? reason })),
]);

/**
 * Parses the return value of `evaluate`: a score, true/false, `[passed, message]`, or `{score, message?, issues?, suggestions?}`. `reason`,
 * the name used by webhooks, replaces a missing `message`. `problem` describes an invalid value. `json` comes from the sandbox.
 */
function readFunctionValue(
  json: string | null,
): { ok: true; verdict: FunctionVerdict } | { ok: false; problem: string } {
  if (json === null) return { ok: false, problem: 'It returned nothing.' };
  const value: unknown = JSON.parse(json);
  const parsed = verdictSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: `It returned ${shown(value)}. ${EXPECTED}` };
  const { score, message, issues, suggestions } = { message: '', issues: [], suggestions: [], ...parsed.data };
  return {
    ok: true,
    verdict: { score, message: message ?? '', issues: issues ?? [], suggestions: suggestions ?? [] },
  };
}

const EXPECTED = `Return a score from 0 to 1, true or false, [passed, message], or {score, message, issues, suggestions} with at most ${MAX_TEXTS} issues and suggestions each.`;

/** Formats a value. Numbers that JSON cannot represent are encoded as {"notFinite": "NaN"}. */
function shown(value: unknown): string {
  return showValue(value).replaceAll(/\{"notFinite":"(-?\w+)"\}/g, '$1');
}

/**
 * Scores with a user-defined function `evaluate({output, input, messages, reference, metadata})` in a sandbox. Models also receive its
 * feedback, except for text that quotes the reference.
 */
export const functionEvaluator: Evaluator<'function'> = {
  kind: 'function',
  async evaluate({ criteria, output, settings, case: task, mayQuoteReference }) {
    const hidden = mayQuoteReference ? null : task.reference;
    const results = await Promise.all(
      criteria.map((criterion) => judge(criterion, getPassThreshold(criterion, settings), output, task, hidden)),
    );
    return { ok: true, results, spend: NO_SPEND };
  },
  async problem({ code }) {
    return problemAt('code', await functionProblem(code));
  },
};

type FunctionCriterion = CriterionOf<'function'>;

/** `bar`: minimum score of an acceptable output. `hidden`: the reference that models must not see, null if they may. */
async function judge(
  criterion: FunctionCriterion,
  bar: number,
  output: string,
  task: Case,
  hidden: string | null,
): Promise<CriterionResult> {
  const { input, messages, reference, metadata } = task;
  const argument = JSON.stringify({ output, input, ...(messages && { messages }), reference, metadata });
  const answer = await runJavascript({ code: criterion.config.code, argument });
  const read =
    answer.type === 'returned' ? readFunctionValue(answer.json) : { ok: false as const, problem: failureOf(answer) };
  return read.ok
    ? verdict(criterion, bar, read.verdict, hidden)
    : unscoredQuietly(criterion.name, read.problem, hidden, 'Not scored: the function failed.');
}

function verdict(
  criterion: FunctionCriterion,
  bar: number,
  returned: FunctionVerdict,
  reference: string | null,
): CriterionResult {
  const { name } = criterion;
  const { score, message } = returned;
  const isFine = score >= bar;
  const mayReveal = (text: string) => text !== '' && !quotesReference(text, reference);
  const shownMessage = mayReveal(message) ? message : '';
  const named = returned.issues.filter(mayReveal);
  const fallback =
    shownMessage || (returned.issues.length > 0 ? '' : `Not met: ${criterion.description.trim() || name}`);
  const issues = named.length > 0 || isFine || fallback === '' ? named : [fallback];
  const texts = [message, ...returned.issues, ...returned.suggestions].filter((text) => text !== '');
  const sentence = `The function gave ${shortScore(score)}`;
  return criterionResult({
    criterion: name,
    score,
    reason: shownMessage ? `${sentence}: ${shownMessage}` : `${sentence}.`,
    issues: issues.map((text) => ({ criterion: name, text })),
    suggestions: returned.suggestions.filter(mayReveal),
    feedback: `${name}: ${shownMessage || (isFine ? 'met' : `${shortScore(score)} of 1`)}`,
    detail: [
      message ? `${sentence}: ${message}` : `${sentence}.`,
      ...returned.issues.map((issue) => `- ${issue}`),
      ...returned.suggestions.map((suggestion) => `→ ${suggestion}`),
      ...withheldNote(texts, mayReveal),
    ].join('\n'),
  });
}

function failureOf(answer: Exclude<JavascriptResult, { type: 'returned' }>): string {
  switch (answer.type) {
    case 'no_function':
    case 'checked':
      return 'The code defines no function named evaluate.';
    case 'syntax_error':
      return `The code can't be read: ${answer.message}${answer.line === null ? '' : ` in line ${answer.line}`}.`;
    case 'threw':
      return `The function failed. ${answer.message}`;
    case 'too_large':
      return 'The function returned more than 100,000 characters. Return a score and a few short texts.';
    case 'out_of_time':
      return `The function was stopped: it took more than ${JAVASCRIPT_TIME_MS / 1_000} s.`;
    case 'out_of_memory':
      return `The function was stopped: it needed more than ${JAVASCRIPT_MEMORY_BYTES / 1024 / 1024} MB of memory.`;
    case 'broken':
      return `The function was stopped because it crashed its sandbox (${answer.message}).`;
  }
}

/** Returns why code can't be used, as the end of a sentence ("has a mistake in line 3: …"), or null if it can. Runs it in the sandbox. */
export async function functionProblem(code: string): Promise<string | null> {
  const answer = await runJavascript({ code, argument: null });
  switch (answer.type) {
    case 'checked':
    case 'returned':
      return null;
    case 'no_function':
      return 'must define a function named evaluate, such as function evaluate({ output }) { return output.length > 0 }';
    case 'syntax_error':
      return `has a mistake${answer.line === null ? '' : ` in line ${answer.line}`}: ${answer.message}`;
    case 'threw':
      return `fails outside of its function: ${answer.message}`;
    case 'out_of_time':
      return 'does not finish outside of its function';
    case 'out_of_memory':
    case 'too_large':
      return 'needs too much memory outside of its function';
    case 'broken':
      return `crashes the sandbox: ${answer.message}`;
  }
}
