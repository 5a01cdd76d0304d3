import type { Criterion, CriterionOf, EvaluatorKind } from '#lib/core/criterion.ts';
import type { EvaluateRequest, EvaluationOutcome, MadeEvaluation } from '#lib/core/evaluate-request.ts';
import { isSatisfactory, overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import { checklistEvaluator } from './checklist.ts';
import { comparisonEvaluator } from './comparison.ts';
import type { ConfigProblem, CriterionResult, Evaluator, EvaluatorOutcome, EvaluatorServices } from './evaluator.ts';
import { functionEvaluator } from './function.ts';
import { humanEvaluator } from './human.ts';
import { jsonSchemaEvaluator } from './json-schema.ts';
import { llmEvaluator } from './llm.ts';
import { pythonTestsEvaluator } from './python-tests.ts';
import { referenceEvaluator } from './reference.ts';
import { regexEvaluator } from './regex.ts';
import { webhookEvaluator } from './webhook.ts';
import { withConfidence } from './with-confidence.ts';

/** Every evaluator by its kind, in the order in which they score: those that ask no model go first. */
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
  human: humanEvaluator,
};

/** What of a criterion's config cannot be used though it has the right shape; null when all can. */
export async function criterionProblem({ evaluator, config }: Criterion): Promise<ConfigProblem | null> {
  // Of the union of all kinds: TypeScript does not see that the config is of the same one.
  const { problem }: { problem?(config: Criterion['config']): Promise<ConfigProblem | null> } = EVALUATORS[evaluator];
  return (await problem?.(config)) ?? null;
}

/**
 * Scores one output by all criteria of an experiment. One whose model gives no answer ends the evaluation
 * with that failure. A criterion without a score makes the evaluation `partial`.
 */
export async function evaluateOutput(request: EvaluateRequest & EvaluatorServices): Promise<EvaluationOutcome> {
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
  return { ok: true, evaluation: merged(settings, results, sumSpend(spends)) };
}

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
  const confidences = results.flatMap((result) => result.confidence ?? []);
  return {
    ...spend,
    status: overallScore === null ? 'partial' : 'scored',
    overallScore,
    criteriaScores,
    reasons: Object.fromEntries(results.map((result) => [result.criterion, result.reason])),
    satisfactory: isSatisfactory(settings, overallScore, criteriaScores),
    issues: results.flatMap((result) => result.issues),
    suggestions: [...new Set(results.flatMap((result) => result.suggestions))],
    confidence: confidences.length === 0 ? null : Math.min(...confidences),
    feedback: linesOf(results.map((result) => result.feedback)),
    detail: linesOf(
      results.map((result) => (results.length > 1 ? `${result.criterion}: ${result.detail}` : result.detail)),
    ),
    answer: results.find((result) => result.answer !== null)?.answer ?? null,
    ...(proposals.length > 0 && { proposed: Object.fromEntries(proposals) }),
  };
}

function linesOf(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}
