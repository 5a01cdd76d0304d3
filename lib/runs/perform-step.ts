import { evaluateOutput } from '#lib/evaluators/evaluate-output.ts';
import { performStep as performStepWith, type StepContext } from '#lib/reflection/perform-step.ts';
import type { Step, StepResult } from '#lib/reflection/step.ts';

/** Does one step with the app's evaluators; null when its call was aborted. */
export function performStep(step: Step, context: Omit<StepContext, 'evaluate'>): Promise<StepResult | null> {
  return performStepWith(step, { ...context, evaluate: evaluateOutput });
}
