import type { Ask } from '#lib/core/evaluate-request.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import type { CriterionResult, EvaluatorOutcome } from './evaluator.ts';

type Scored = CriterionResult & { score: number; confidence: number };

/**
 * Evaluates and does what the settings say where a judge's confidence is below their limit: asks once more and takes the more
 * confident of the two judgements of a criterion (the first where both are alike), leaves its score to a person as a proposal, or
 * counts the criterion as unscored. A judge that says no confidence is taken at its word. `evaluate`: criteria by their names, null for all.
 */
export async function withConfidence(
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
      return { ...first, results: replaced((result) => proposed(result)) };
    case 'unscored':
      return { ...first, results: replaced((result) => uncounted(result, below)) };
    case 'rejudge': {
      const second = await evaluate(againOf(ask), unsure);
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
      ? `Judged twice, for a confidence of ${shown(first.confidence)}; the second judgement gave no score.`
      : `Judged twice, for a confidence of ${shown(first.confidence)}; the other judgement gave ${shown(other.score)} with ${confidenceOf(other)}.`;
  return { ...chosen, detail: [chosen.detail, note].filter((line) => line !== '').join('\n') };
}

function proposed(result: Scored): CriterionResult {
  const { criterion, score, confidence, reason } = result;
  const waits = `Waits for a person’s score: the judge proposes ${shown(score)} with a confidence of ${shown(confidence)}.`;
  return {
    ...result,
    score: null,
    proposed: score,
    reason: [waits, reason].join(' ').trim(),
    feedback: '',
    detail: `${waits}\n${result.detail}`.trim(),
    criterion,
  };
}

function uncounted(result: Scored, below: number): CriterionResult {
  const reason = `Not scored: the judge gave ${shown(result.score)} with a confidence of ${shown(result.confidence)}, below ${shown(below)}.`;
  return { ...result, score: null, reason, feedback: '', detail: `${reason}\n${result.detail}`.trim() };
}

function confidenceOf({ confidence }: CriterionResult): string {
  return confidence === null ? 'no confidence' : `a confidence of ${shown(confidence)}`;
}

function shown(value: number): string {
  return String(Math.round(value * 1_000) / 1_000);
}

/** Asks for a second judgement: in other words, so that no stored reply to the first stands in for it. */
function againOf(ask: Ask): Ask {
  return (request) => ask({ ...request, prompt: `${request.prompt}\n\n${SECOND_LOOK}` });
}

const SECOND_LOOK =
  'A first judgement of this candidate was given with little confidence. Judge it afresh: go through it point by point before you score, and say how confident you are.';
