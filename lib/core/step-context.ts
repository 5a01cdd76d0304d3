import type { ToolDefinition, UseTool } from '#lib/core/agents/agent-records.ts';
import type { Case } from './case.ts';
import type { Evaluate } from './evaluate-request.ts';
import type { History } from './history.ts';
import type { Recall } from './lesson-schema.ts';
import type { StepCall } from './model-request.ts';
import type { ExperimentSettings } from './settings.ts';

/** What a step stands in: the loop so far, its settings and case, and the shell's models, evaluators, clock and ids. */
export type StepContext = {
  history: History;
  settings: ExperimentSettings;
  case: Case;
  call: StepCall;
  evaluate: Evaluate;
  /** What the library has for the open step; nothing where there is no library. */
  recall?: Recall;
  /** The tools that agents may use, as models are told of them, and how one is used; nothing where attempts are single calls. */
  toolDefinitions?: readonly ToolDefinition[];
  useTool?: UseTool;
  /** Also a text that has a score already is judged: for re-scores. */
  judgesAgain?: boolean;
  /** Calls of models made so far, as the shell counts them while a step goes on; without it a step counts its own. */
  callsMade?: () => number;
  now: () => Date;
  newId: () => string;
};
