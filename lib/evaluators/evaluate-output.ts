import { filesOf } from '#lib/core/chat/message-content.ts';
import { WAITS_FOR_A_PERSON } from '#lib/core/criterion.ts';
import type { Criterion, CriterionOf, EvaluatorKind } from '#lib/core/criterion-schema.ts';
import type { Ask, Evaluate, EvaluateRequest, EvaluationOutcome, MadeEvaluation } from '#lib/core/evaluate-request.ts';
import { isSatisfactory, overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import { NO_SPEND, type Spend } from '#lib/core/token-usage.ts';
import { checklistEvaluator } from './checklist.ts';
import { comparisonEvaluator } from './comparison.ts';
import {
  type ConfigProblem,
  type CriterionResult,
  type Evaluator,
  type EvaluatorOutcome,
  type EvaluatorServices,
  NO_SERVICES,
  shortScore,
  unscored,
} from './evaluator.ts';
import { functionEvaluator } from './function.ts';
import { jsonSchemaEvaluator } from './json-schema.ts';
import { lowestConfidence } from './judge-instructions.ts';
import { llmEvaluator } from './llm.ts';
import { pythonTestsEvaluator } from './python-tests.ts';
import { quotesReference } from './quotes-reference.ts';
import { referenceEvaluator } from './reference.ts';
import { regexEvaluator } from './regex.ts';
import { responseSchemaFaults, type SchemaFaults } from './response-schema.ts';
import { targetEvaluator } from './target.ts';
import { webhookEvaluator } from './webhook.ts';

/** Leaves its criteria to a reviewer. The loop waits for these scores after all other criteria are scored. */
const humanEvaluator: Evaluator<'human'> = {
  kind: 'human',
  async evaluate({ criteria }) {
    return { ok: true, results: criteria.map(({ name }) => unscored(name, WAITS_FOR_A_PERSON)), spend: NO_SPEND };
  },
};

/** All evaluators by kind, in scoring order. Those without model calls come first. */
export const EVALUATORS: { [Kind in EvaluatorKind]: Evaluator<Kind> } = {
  regex: regexEvaluator,
  json_schema: jsonSchemaEvaluator,
  reference: referenceEvaluator,
  function: functionEvaluator,
  python_tests: pythonTestsEvaluator,
  llm: llmEvaluator,
  checklist: checklistEvaluator,
  comparison: comparisonEvaluator,
  webhook: webhookEvaluator,
  target: targetEvaluator,
  human: humanEvaluator,
};

/** Returns the config value of a criterion that has the right type but cannot be used, or null if all can. */
export async function criterionProblem({ evaluator, config }: Criterion): Promise<ConfigProblem | null> {
  // TypeScript cannot correlate the kind of the evaluator with its config.
  const { problem }: { problem?(config: Criterion['config']): Promise<ConfigProblem | null> } = EVALUATORS[evaluator];
  return (await problem?.(config)) ?? null;
}

/**
 * Scores one output by all criteria of an experiment. If an evaluator's model fails, the evaluation ends with that failure. A criterion
 * without a score makes the evaluation `partial`.
 */
export async function evaluateOutput(input: EvaluateRequest & EvaluatorServices): Promise<EvaluationOutcome> {
  const request = { ...input, ask: withFiles(input) };
  const { settings } = request;
  const found = new Map<string, CriterionResult>();
  const spends: Spend[] = [];
  for (const { kind } of Object.values(EVALUATORS)) {
    const outcome = await evaluateKind(kind, request);
    if (outcome === null) continue;
    spends.push(outcome.spend);
    if (!outcome.ok) return { ok: false, failure: outcome.failure, spend: sumSpend(spends) };
    for (const result of outcome.results) found.set(result.criterion, result);
  }
  const results = settings.criteria.flatMap((criterion) => found.get(criterion.name) ?? []);
  const evaluation = merged(settings, results, sumSpend(spends));
  const feedback = linesOf([evaluation.feedback, getTargetFeedback(request)]);
  const faults = await responseSchemaFaults(settings.generator, request.output);
  return { ok: true, evaluation: withSchemaFaults({ ...evaluation, feedback }, faults) };
}

/** Adds an issue for each mismatch between the output and its response schema, regardless of the scores. */
export function withSchemaFaults(evaluation: MadeEvaluation, { faults, note }: SchemaFaults): MadeEvaluation {
  const lines = faults.map((fault) => `The output does not match the response schema. ${fault}`);
  return {
    ...evaluation,
    issues: [...evaluation.issues, ...lines.map((text) => ({ criterion: null, text }))],
    feedback: linesOf([evaluation.feedback, ...lines]),
    detail: linesOf([evaluation.detail, ...lines, note]),
  };
}

function withFiles({ ask, case: task }: Pick<EvaluateRequest, 'ask' | 'case'>): Ask {
  const files = filesOf(task.messages ?? []);
  return files.length === 0 ? ask : (request) => ask({ ...request, files });
}

/** Evaluators for a loop outside an installation. Criteria that need one (its webhooks) stay unscored, with a reason. */
export const evaluateAlone: Evaluate = (request) => evaluateOutput({ ...request, ...NO_SERVICES });

async function evaluateKind<Kind extends EvaluatorKind>(
  kind: Kind,
  request: EvaluateRequest & EvaluatorServices,
): Promise<EvaluatorOutcome | null> {
  const criteria = request.settings.criteria.filter((criterion) => isOfKind(criterion, kind));
  if (criteria.length === 0) return null;
  return withConfidence(request.settings, request.ask, (ask, names) =>
    EVALUATORS[kind].evaluate({
      ...request,
      ask,
      criteria: criteria.filter(({ name }) => names === null || names.includes(name)),
    }),
  );
}

function isOfKind<Kind extends EvaluatorKind>(criterion: Criterion, kind: Kind): criterion is CriterionOf<Kind> {
  return criterion.evaluator === kind;
}

function merged(settings: ExperimentSettings, results: CriterionResult[], spend: Spend): MadeEvaluation {
  const criteriaScores = Object.fromEntries(results.map((result) => [result.criterion, result.score]));
  const overallScore = overallOf(settings, criteriaScores);
  const proposals = results.flatMap(({ criterion, proposed }) =>
    proposed === undefined ? [] : [[criterion, proposed] as const],
  );
  return {
    ...spend,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    reasons: Object.fromEntries(results.map((result) => [result.criterion, result.reason])),
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    issues: results.flatMap((result) => result.issues),
    suggestions: [...new Set(results.flatMap((result) => result.suggestions))],
    confidence: lowestConfidence(results),
    feedback: linesOf(results.map((result) => result.feedback)),
    detail: linesOf(
      results.map((result) => (results.length > 1 ? `${result.criterion}: ${result.detail}` : result.detail)),
    ),
    answer: results.find((result) => result.answer !== null)?.answer ?? null,
    ...(proposals.length > 0 && { proposed: Object.fromEntries(proposals) }),
  };
}

/** Returns a target's feedback on its output for models. Empty if it would reveal the reference. */
function getTargetFeedback({ target, mayQuoteReference, case: task }: EvaluateRequest): string {
  const feedback = target?.feedback ?? '';
  return mayQuoteReference || !quotesReference(feedback, task.reference) ? feedback : '';
}

function linesOf(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}

type Scored = CriterionResult & { score: number; confidence: number };

/**
 * Evaluates, and applies the configured action if a judge's confidence is below the limit. `rejudge` calls the judge again and uses the
 * more confident judgement of each criterion (the first if equal). The other actions leave the score to a reviewer as a proposal, or mark
 * the criterion as unscored.
 * A missing confidence counts as sufficient. `evaluate`: criteria by name, null for all.
 */
async function withConfidence(
  { evaluation }: Pick<ExperimentSettings, 'evaluation'>,
  ask: Ask,
  evaluate: (ask: Ask, names: readonly string[] | null) => Promise<EvaluatorOutcome>,
): Promise<EvaluatorOutcome> {
  const first = await evaluate(ask, null);
  const { below, action } = evaluation.confidence;
  if (!first.ok || below === null) return first;
  const unsure = first.results.filter((result) => isUnsure(result, below)).map(({ criterion }) => criterion);
  if (unsure.length === 0) return first;
  const replaced = (instead: (result: Scored) => CriterionResult) =>
    first.results.map((result) => (isUnsure(result, below) ? instead(result) : result));
  switch (action) {
    case 'ask':
      return { ...first, results: replaced(proposed) };
    case 'unscored':
      return { ...first, results: replaced((result) => uncounted(result, below)) };
    case 'rejudge': {
      const second = await evaluate(addRejudgePrompt(ask), unsure);
      const spend = sumSpend([first.spend, second.spend]);
      if (!second.ok) return second.failure.kind === 'aborted' ? { ...second, spend } : { ...first, spend };
      const again = new Map(second.results.map((result) => [result.criterion, result]));
      return { ok: true, results: replaced((result) => moreConfident(result, again.get(result.criterion))), spend };
    }
  }
}

function isUnsure(result: CriterionResult, below: number): result is Scored {
  return result.score !== null && result.confidence !== null && result.confidence < below;
}

function moreConfident(first: Scored, second: CriterionResult | undefined): CriterionResult {
  const isSecond = second !== undefined && second.score !== null && (second.confidence ?? 0) > first.confidence;
  const chosen = isSecond ? second : first;
  const other = isSecond ? first : second;
  const note =
    other === undefined || other.score === null
      ? `Judged twice, because the confidence was ${shortScore(first.confidence)}. The second judgement has no score.`
      : `Judged twice, because the confidence was ${shortScore(first.confidence)}. The other judgement gave ${shortScore(other.score)} with ${confidenceOf(other)}.`;
  return { ...chosen, detail: [chosen.detail, note].filter((line) => line !== '').join('\n') };
}

function proposed(result: Scored): CriterionResult {
  const { score, confidence, reason } = result;
  const waits = `Waits for a person’s score: the judge proposes ${shortScore(score)} with a confidence of ${shortScore(confidence)}.`;
  return {
    ...result,
    score: null,
    proposed: score,
    reason: [waits, reason].join(' ').trim(),
    feedback: '',
    detail: `${waits}\n${result.detail}`.trim(),
  };
}

function uncounted(result: Scored, below: number): CriterionResult {
  const reason = `Not scored: the judge gave ${shortScore(result.score)} with a confidence of ${shortScore(result.confidence)}, below ${shortScore(below)}.`;
  return { ...result, score: null, reason, feedback: '', detail: `${reason}\n${result.detail}`.trim() };
}

function confidenceOf({ confidence }: CriterionResult): string {
  return confidence === null ? 'no confidence' : `a confidence of ${shortScore(confidence)}`;
}

/** Changes the prompt for a second judgement, so that a cached response to the first is not reused. */
function addRejudgePrompt(ask: Ask): Ask {
  return (request) => ask({ ...request, prompt: `${request.prompt}\n\n${REJUDGE_PROMPT}` });
}

const REJUDGE_PROMPT =
  'A first evaluation of this candidate had low confidence. Evaluate it again: go through it point by point before you score, and state how confident you are.';
