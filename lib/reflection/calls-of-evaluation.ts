import { asksModelToScore } from './judged-by-model.ts';
import type { ExperimentSettings } from './settings.ts';

/** About how many model calls one evaluation takes: all rubric criteria share one, each other criterion that asks a model takes its own. */
export function callsOfEvaluation(settings: Pick<ExperimentSettings, 'criteria'>): number {
  const asking = settings.criteria.filter(asksModelToScore);
  const rubric = asking.some(({ evaluator }) => evaluator === 'llm') ? 1 : 0;
  return rubric + asking.filter(({ evaluator }) => evaluator !== 'llm').length;
}
