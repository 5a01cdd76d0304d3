import type { Failure } from './history.ts';
import type { ModelFailure } from './model-request.ts';
import type { ModelRole } from './model-roles.ts';
import type { StepResult } from './step.ts';
import type { StepContext } from './step-context.ts';
import type { Spend } from './token-usage.ts';

/** Returns the result of a step whose call failed, or null if it was aborted. `spend`: the amount paid, by default for this call alone. */
export function failedStep(
  context: Pick<StepContext, 'history' | 'now'>,
  role: ModelRole,
  given: ModelFailure,
  spend?: Spend,
): StepResult | null {
  if (given.kind === 'aborted') return null;
  const { kind: cause, message, remedy, tokenUsage, costUsd, latencyMs } = given;
  const failure: Failure = {
    tokenUsage,
    costUsd,
    durationMs: latencyMs,
    ...spend,
    kind: cause === 'experiment_budget' || cause === 'month_budget' ? cause : 'model_failed',
    cause,
    role,
    message,
    remedy,
    step: context.history.step,
    at: context.now().toISOString(),
  };
  return { type: 'failure', failure };
}
