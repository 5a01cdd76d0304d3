import type { ToolDefinition, UseTool } from '#lib/core/agents/agent-records.ts';
import type { Case } from './case.ts';
import type { Evaluate } from './evaluate-request.ts';
import type { History } from './history.ts';
import type { Recall } from './lesson-schema.ts';
import type { StepCall } from './model-request.ts';
import type { ExperimentSettings } from './settings.ts';

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
  now: () => Date;
  newId: () => string;
};
