import { performStep as performStepWith } from '#lib/core/perform-step.ts';
import type { Step, StepResult } from '#lib/core/step.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import { evaluateOutput } from '#lib/evaluators/evaluate-output.ts';
import type { EvaluatorServices } from '#lib/evaluators/evaluator.ts';

/** Performs one step with the app's evaluators. Returns null if its call was aborted. */
export function performStep(
  step: Step,
  context: Omit<StepContext, 'evaluate'> & EvaluatorServices,
): Promise<StepResult | null> {
  return performStepWith(step, {
    ...context,
    evaluate: (request) => evaluateOutput({ ...request, validate: context.validate, python: context.python }),
  });
}
