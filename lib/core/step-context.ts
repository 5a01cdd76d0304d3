import type { ToolDefinition, UseTool } from '#lib/core/agents/agent-records.ts';
import type { Case } from './case.ts';
import type { Evaluate } from './evaluate-request.ts';
import { type Failure, type History, NEW_VERSION, type Version } from './history.ts';
import type { Recall } from './lesson-schema.ts';
import type { ModelFailure, StepCall } from './model-request.ts';
import type { ModelRole } from './model-roles.ts';
import type { ExperimentSettings, ModelReference } from './settings.ts';
import { spendOfCall } from './spend.ts';
import type { StepResult } from './step.ts';
import type { Spend } from './token-usage.ts';

/** Context of a step: the loop so far, its settings and case, and the models, evaluators, clock and ids of the environment. */
export type StepContext = {
  history: History;
  settings: ExperimentSettings;
  case: Case;
  call: StepCall;
  evaluate: Evaluate;
  /** Recalls lessons for the open step. Omitted without a library. */
  recall?: Recall;
  /** Tools of the agents as described to models, and the function that performs a call. Omitted if attempts are single calls. */
  toolDefinitions?: readonly ToolDefinition[];
  useTool?: UseTool;
  /** True to evaluate texts that already have a score, for re-scoring. */
  judgesAgain?: boolean;
  /** Returns the model calls made so far, including those of the current step. Without it, a step counts its own. */
  callsMade?: () => number;
  /** Returns the price of a call with this many tokens in US dollars, or null if the model has no known price. Omitted without prices. */
  priceOf?: (model: ModelReference, tokens: { input: number; output: number }) => Promise<number | null>;
  now: () => Date;
  newId: () => string;
};

/** Returns the time and the step of a new record. */
export function stamp({ history, now }: Pick<StepContext, 'history' | 'now'>): { createdAt: string; step: number } {
  return { createdAt: now().toISOString(), step: history.step };
}

type MadeVersion = Pick<Version, 'origin' | 'iteration' | 'output'> & Partial<Version>;

/** Returns the next version of the loop. Omitted fields have their default. */
export function nextVersion(context: Pick<StepContext, 'history' | 'now'>, made: MadeVersion): Version {
  return { ...NEW_VERSION, number: context.history.versions.length, ...made, ...stamp(context) };
}

/** Failures of calls that a budget did not allow. */
export const BUDGET_FAILURES = ['call_budget', 'experiment_budget', 'month_budget'] as const;

/** Returns the result of a step whose call failed, or null if it was aborted. `spend`: the amount paid, by default for this call alone. */
export function failedStep(
  context: Pick<StepContext, 'history' | 'now'>,
  role: ModelRole,
  modelFailure: ModelFailure,
  spend?: Spend,
): StepResult | null {
  if (modelFailure.kind === 'aborted') return null;
  const { kind: cause, message, remedy } = modelFailure;
  const failure: Failure = {
    ...(spend ?? spendOfCall({ ok: false, failure: modelFailure })),
    kind: BUDGET_FAILURES.find((kind) => kind === cause) ?? 'model_failed',
    cause,
    role,
    message,
    remedy,
    step: context.history.step,
    at: context.now().toISOString(),
  };
  return { type: 'failure', failure };
}
