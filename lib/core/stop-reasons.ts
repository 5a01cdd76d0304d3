import type { EndedStatus } from './run-statuses.ts';

/** Properties of a stop reason, except its condition (`STOP_RULES`) and its longer texts (`stopLabels`). */
type StopReasonDefinition = {
  /** Name in one or two words. */
  name: string;
  /** Name for imported runs, if `name` does not apply to them. */
  importedName?: string;
  /** Status of a run with this reason. A run that is not finished can be resumed. */
  status: EndedStatus;
  /**
   * `rule`: the output is good enough, or continuing is useless. `limit`: a limit was reached. Null for neither: a person ended the run, or
   * it was interrupted.
   */
  kind: 'rule' | 'limit' | null;
  /** Subject of the reflection at the run's end. Null if it writes none. */
  reflectsOn: 'success' | 'failure' | null;
  /** It only reflects if the settings always require a reflection (`lessons.alwaysReflect`). */
  reflectsOnRequest?: true;
  /** It also ends a run before its last version is evaluated. */
  endsUnjudged?: true;
  /** A budget of the run, or one shared by several runs. */
  budget?: 'run' | 'shared';
};

const ACCEPTED = { status: 'finished', kind: null, reflectsOn: 'success' } as const;
const INTERRUPTED = { status: 'failed', kind: null, reflectsOn: 'failure', reflectsOnRequest: true } as const;
const NO_PROGRESS = { status: 'finished', kind: 'rule', reflectsOn: 'failure' } as const;
const BUDGET = { kind: 'limit', reflectsOn: 'failure', reflectsOnRequest: true, endsUnjudged: true } as const;
const RUN_BUDGET = { ...BUDGET, status: 'finished', budget: 'run' } as const;
const SHARED_BUDGET = { ...BUDGET, status: 'stopped', budget: 'shared' } as const;

/** Stop reasons of a run, in the order they are checked. */
export const STOP_REASON_DEFINITIONS = {
  user_accepted: { ...ACCEPTED, name: 'Accepted by a person' },
  user_stopped: { name: 'Stopped by a person', status: 'stopped', kind: null, reflectsOn: null },
  model_failed: { ...INTERRUPTED, name: 'model failed' },
  evaluation_failed: { ...INTERRUPTED, endsUnjudged: true, name: 'unscored twice' },
  internal_error: { name: 'internal error', status: 'failed', kind: null, reflectsOn: null },
  quality_met: { name: 'quality met', status: 'finished', kind: 'rule', reflectsOn: 'success' },
  semantic_stability: { ...NO_PROGRESS, name: 'same answer' },
  repeated_issues: { ...NO_PROGRESS, name: 'same issues' },
  oscillation: { ...NO_PROGRESS, name: 'oscillation' },
  plateau: { ...NO_PROGRESS, name: 'plateau' },
  diminishing: { ...NO_PROGRESS, name: 'diminishing' },
  /** A tuning run has no more cases to learn from. */
  nothing_to_mend: { name: 'nothing to fix', status: 'finished', kind: null, reflectsOn: 'failure' },
  /** The agent gave no answer, so there is nothing to revise. */
  cut_off: { ...INTERRUPTED, name: 'agent cut off' },
  max_iterations: {
    name: 'cap reached',
    importedName: 'no more attempts',
    status: 'finished',
    kind: 'limit',
    reflectsOn: 'failure',
  },
  /** A tuning run has used the `tune.maxTries` example scores. */
  try_limit: { name: 'case limit', status: 'finished', kind: 'limit', reflectsOn: 'failure', endsUnjudged: true },
  call_budget: { ...RUN_BUDGET, name: 'call budget' },
  token_budget: { ...RUN_BUDGET, name: 'token budget' },
  cost_budget: { ...RUN_BUDGET, name: 'cost budget' },
  time_budget: { ...RUN_BUDGET, name: 'time budget' },
  experiment_budget: { ...SHARED_BUDGET, name: 'experiment budget' },
  month_budget: { ...SHARED_BUDGET, name: 'month budget' },
} as const satisfies Record<string, StopReasonDefinition>;

export type StopReason = keyof typeof STOP_REASON_DEFINITIONS;

/** Reasons that a rule over the scores determines, `kind: 'rule'`. */
export type RuleReason = {
  [Reason in StopReason]: (typeof STOP_REASON_DEFINITIONS)[Reason]['kind'] extends 'rule' ? Reason : never;
}[StopReason];

const definitions: Record<StopReason, StopReasonDefinition> = STOP_REASON_DEFINITIONS;

export const STOP_REASONS: readonly StopReason[] = Object.keys(definitions).filter(
  (reason): reason is StopReason => reason in definitions,
);

/** Returns the definition of a stop reason. */
export function stopReason(reason: StopReason): StopReasonDefinition {
  return definitions[reason];
}

/** Returns the name of a stop reason. `isImported`: of a run that another system made, whose cap is not known. */
export function stopName(reason: StopReason, isImported = false): string {
  const { name, importedName = name } = definitions[reason];
  return isImported ? importedName : name;
}

/** Returns the stop reasons whose definition matches, in order. */
export function stopReasonsWith(holds: (definition: StopReasonDefinition) => boolean): StopReason[] {
  return STOP_REASONS.filter((reason) => holds(definitions[reason]));
}

/** Stop reasons of the run's own budgets. The run can be resumed with larger ones. */
export const RUN_BUDGET_REASONS = stopReasonsWith(({ budget }) => budget === 'run');

/** Stop reasons of a run's own limits. The run can be resumed with higher limits. */
export function runLimitReasons(mode: string): readonly StopReason[] {
  return mode === 'tune' ? [...RUN_BUDGET_REASONS, 'max_iterations', 'try_limit'] : RUN_BUDGET_REASONS;
}

/** Defaults of the settings of stop rules. Here and not in the schema, because pages import them without Zod. */
export const DEFAULT_CONVERGENCE = {
  plateauIterations: 2,
  improvementThreshold: 0.05,
  detectOscillation: true,
  detectStability: true,
};
