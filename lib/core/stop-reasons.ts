import type { EndedStatus } from './run-statuses.ts';

/** What is said of a stop reason apart from when it holds (`STOP_RULES`) and how it reads (`STOP_REASON_LABELS`). */
type StopReasonDefinition = {
  /** The status of a run that ends so. What is not finished can be resumed. */
  status: EndedStatus;
  /**
   * `rule`: the output is good enough, or going on is of no use; `limit`: there may be no more. Null where it counts as neither: a person
   * ended the run, or it broke off.
   */
  kind: 'rule' | 'limit' | null;
  /** What the run's reflection at its end is about; null where it writes none. */
  reflectsOn: 'success' | 'failure' | null;
  /** It reflects only where the settings ask for a reflection in any case (`lessons.alwaysReflect`). */
  reflectsOnRequest?: true;
  /** It ends a run also before its last version is evaluated. */
  endsUnjudged?: true;
  /** A budget of the run's own, or one over several runs. */
  budget?: 'run' | 'shared';
};

const ORDER = { status: 'finished', kind: null, reflectsOn: 'success' } as const;
const BROKE_OFF = { status: 'failed', kind: null, reflectsOn: 'failure', reflectsOnRequest: true } as const;
const NO_USE = { status: 'finished', kind: 'rule', reflectsOn: 'failure' } as const;
const BUDGET = { kind: 'limit', reflectsOn: 'failure', reflectsOnRequest: true, endsUnjudged: true } as const;
const RUN_BUDGET = { ...BUDGET, status: 'finished', budget: 'run' } as const;
const SHARED_BUDGET = { ...BUDGET, status: 'stopped', budget: 'shared' } as const;

/** Why a run can end, in the order in which the reasons are looked at. */
export const STOP_REASON_DEFINITIONS = {
  user_accepted: ORDER,
  user_stopped: { status: 'stopped', kind: null, reflectsOn: null },
  model_failed: BROKE_OFF,
  evaluation_failed: { ...BROKE_OFF, endsUnjudged: true },
  internal_error: { status: 'failed', kind: null, reflectsOn: null },
  quality_met: { status: 'finished', kind: 'rule', reflectsOn: 'success' },
  semantic_stability: NO_USE,
  repeated_issues: NO_USE,
  oscillation: NO_USE,
  plateau: NO_USE,
  diminishing: NO_USE,
  /** A tuning run has no case left to learn from. */
  nothing_to_mend: { status: 'finished', kind: null, reflectsOn: 'failure' },
  /** The agent came to no answer, so there is nothing to revise. */
  cut_off: BROKE_OFF,
  max_iterations: { status: 'finished', kind: 'limit', reflectsOn: 'failure' },
  /** A tuning run has tried as many cases as `tune.maxTries` allows. */
  try_limit: { status: 'finished', kind: 'limit', reflectsOn: 'failure', endsUnjudged: true },
  call_budget: RUN_BUDGET,
  token_budget: RUN_BUDGET,
  cost_budget: RUN_BUDGET,
  time_budget: RUN_BUDGET,
  experiment_budget: SHARED_BUDGET,
  month_budget: SHARED_BUDGET,
} as const satisfies Record<string, StopReasonDefinition>;

export type StopReason = keyof typeof STOP_REASON_DEFINITIONS;

/** The reasons that a rule over the scores decides, `kind: 'rule'`. */
export type RuleReason = {
  [Reason in StopReason]: (typeof STOP_REASON_DEFINITIONS)[Reason]['kind'] extends 'rule' ? Reason : never;
}[StopReason];

const definitions: Record<StopReason, StopReasonDefinition> = STOP_REASON_DEFINITIONS;

export const STOP_REASONS: readonly StopReason[] = Object.keys(definitions).filter(
  (reason): reason is StopReason => reason in definitions,
);

/** The definition of a stop reason. */
export function stopReason(reason: StopReason): StopReasonDefinition {
  return definitions[reason];
}

/** The stop reasons of which something holds, in their order. */
export function stopReasonsWith(holds: (definition: StopReasonDefinition) => boolean): StopReason[] {
  return STOP_REASONS.filter((reason) => holds(definitions[reason]));
}

/** What stops a run by its own budgets; it can be resumed with larger ones. */
export const RUN_BUDGET_REASONS = stopReasonsWith(({ budget }) => budget === 'run');

/** Stop reasons of a run's own limits. The run can be resumed with higher limits. */
export function runLimitReasons(mode: string): readonly StopReason[] {
  return mode === 'tune' ? [...RUN_BUDGET_REASONS, 'max_iterations', 'try_limit'] : RUN_BUDGET_REASONS;
}
