import type { Case } from '#lib/core/case.ts';
import type { CriterionOf } from '#lib/core/criterion.ts';
import { NO_SPEND } from '#lib/core/history.ts';
import { barOf } from '#lib/core/score-evaluation.ts';
import { criterionResult } from './criterion-result.ts';
import type { CriterionResult, Evaluator } from './evaluator.ts';
import { JAVASCRIPT_MEMORY_BYTES, JAVASCRIPT_TIME_MS, type JavascriptAnswer } from './javascript/javascript-answer.ts';
import { runJavascript } from './javascript/run-javascript.ts';
import { quotesReference } from './quotes-reference.ts';
import { type FunctionVerdict, readFunctionValue } from './read-function-value.ts';

/**
 * Scores by a person's function `evaluate({output, input, reference, metadata})`, in a sandbox. What it says goes to models
 * too, but for what quotes the reference: that is for people only.
 */
export const functionEvaluator: Evaluator<'function'> = {
  kind: 'function',
  async evaluate({ criteria, output, settings, case: task, mayQuoteReference }) {
    const hidden = mayQuoteReference ? null : task.reference;
    const results = await Promise.all(
      criteria.map((criterion) => judge(criterion, barOf(criterion, settings), output, task, hidden)),
    );
    return { ok: true, results, spend: NO_SPEND };
  },
};

type FunctionCriterion = CriterionOf<'function'>;

/** `bar`: the score from which an output is fine by this criterion. `hidden`: the reference that models must not be told; null where they may. */
async function judge(
  criterion: FunctionCriterion,
  bar: number,
  output: string,
  task: Case,
  hidden: string | null,
): Promise<CriterionResult> {
  const { input, reference, metadata } = task;
  const argument = JSON.stringify({ output, input, reference, metadata });
  const answer = await runJavascript({ code: criterion.config.code, argument });
  if (answer.type !== 'returned') return unscored(criterion, failureOf(answer), hidden);
  const read = readFunctionValue(answer.json);
  return read.ok ? verdict(criterion, bar, read.verdict, hidden) : unscored(criterion, read.problem, hidden);
}

function verdict(
  criterion: FunctionCriterion,
  bar: number,
  said: FunctionVerdict,
  reference: string | null,
): CriterionResult {
  const { name } = criterion;
  const { score, message } = said;
  const isFine = score >= bar;
  const mayTell = (text: string) => text !== '' && !quotesReference(text, reference);
  const told = mayTell(message) ? message : '';
  const named = said.issues.filter(mayTell);
  const fallback = told || (said.issues.length > 0 ? '' : `Not met: ${criterion.description.trim() || name}`);
  const issues = named.length > 0 || isFine || fallback === '' ? named : [fallback];
  const withheld = [message, ...said.issues, ...said.suggestions].filter(
    (text) => text !== '' && !mayTell(text),
  ).length;
  const sentence = `The function gave ${shownScore(score)}`;
  return criterionResult({
    criterion: name,
    score,
    reason: told ? `${sentence}: ${told}` : `${sentence}.`,
    issues: issues.map((text) => ({ criterion: name, text })),
    suggestions: said.suggestions.filter(mayTell),
    feedback: `${name}: ${told || (isFine ? 'met' : `${shownScore(score)} of 1`)}`,
    detail: [
      message ? `${sentence}: ${message}` : `${sentence}.`,
      ...said.issues.map((issue) => `- ${issue}`),
      ...said.suggestions.map((suggestion) => `→ ${suggestion}`),
      ...(withheld > 0 ? [`${withheld} of these texts quote the reference: models are not told them.`] : []),
    ].join('\n'),
  });
}

function unscored(criterion: FunctionCriterion, problem: string, reference: string | null): CriterionResult {
  const detail = `Not scored. ${problem}`;
  const reason = quotesReference(problem, reference) ? 'Not scored: the function failed.' : detail;
  return criterionResult({ criterion: criterion.name, score: null, reason, detail });
}

/** Why there is no value, in words. */
function failureOf(answer: Exclude<JavascriptAnswer, { type: 'returned' }>): string {
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
      return `The function was stopped: it broke its sandbox down (${answer.message}).`;
  }
}

function shownScore(score: number): string {
  return String(Math.round(score * 1_000) / 1_000);
}
