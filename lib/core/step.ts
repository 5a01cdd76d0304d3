import type { ToolCall } from './agents/agent-records.ts';
import { hasScoringCost, scoringWebhook } from './criterion.ts';
import type {
  AgentTurn,
  AskedScore,
  Critique,
  CritiqueTrigger,
  Decision,
  Evaluation,
  ExampleScore,
  Failure,
  Hook,
  Observation,
  Pause,
  Redraw,
  Version,
  WrittenLesson,
} from './history.ts';
import type { ReflectionKind } from './lesson-schema.ts';
import type { ExperimentSettings, SingleStrategy } from './settings.ts';
import type { StopReason } from './stop-reasons.ts';
import { writesFirstPrompt } from './targets/component-texts.ts';
import type { Spend } from './token-usage.ts';
import type { DemonstrationPlan } from './tuning/demonstrations.ts';
import type { MergePlan } from './tuning/merge-candidates.ts';
import { checksModel, type VariationPlan } from './tuning/plan-variation.ts';

/** The next step of a loop. */
export type Step =
  | { type: 'generate' }
  | { type: 'attempt'; iteration: number }
  /** The next turns of the active agents of a version, in parallel: of `main`, or of workers that got tasks in one turn. */
  | { type: 'turn'; version: number; iteration: number; agents: DueTurn[] }
  /** The tool calls of agents, in parallel. */
  | { type: 'use_tools'; version: number; calls: ToolCall[] }
  /** An agent's answer, or its partial result if it was cut off, becomes a version. */
  | { type: 'conclude'; iteration: number; cutOff: CutOff | null }
  | { type: 'evaluate'; version: number }
  | { type: 'critique'; version: number; trigger: Exclude<CritiqueTrigger, 'run_end'> }
  | { type: 'write_lesson'; version: number }
  /**
   * The run's reflection in the form for its outcome, the last step before it ends for `reason`. The version does not exist if none was
   * made. If budgets of the run forbid the reflection (`withheldBy`), the step only records this.
   */
  | { type: 'write_reflection'; version: number; kind: ReflectionKind; reason: StopReason; withheldBy: StopReason[] }
  /** `regressed`: the version that scored lower, or was cut off without an improvement. `from` is then a different one. */
  | { type: 'revise'; from: number; iteration: number; regressed: { version: number; drop: number } | null }
  /** Tuning: the given prompt becomes the first version. Without one, the reflection model writes it. */
  | { type: 'give' }
  /** Tuning: scores versions on these cases in parallel. More cases may be due afterwards. */
  | { type: 'try'; parts: TryPart[]; purpose: TryPurpose }
  /** Tuning: proposes the next prompts in parallel. */
  | { type: 'propose'; proposals: PlannedProposal[] }
  /**
   * Tuning: combines proposals that were accepted in the same step into one prompt. `components`: those that several of them changed, which
   * the model has to combine. Undefined: the whole text.
   */
  | { type: 'combine'; parent: number; versions: number[]; components: (string | undefined)[]; round: number }
  /** Tuning: merges the components of two candidates. The result is first scored on these cases. */
  | { type: 'merge'; plan: MergePlan; round: number; strategy?: SingleStrategy }
  /** Tuning: adds worked examples to the best candidate. The result is first scored on other training cases. */
  | { type: 'demonstrate'; plan: DemonstrationPlan; round: number; strategy?: SingleStrategy }
  /** Tuning: the best candidate with another model or temperature. It is first scored on these cases. */
  | { type: 'vary'; plan: VariationPlan; round: number }
  /** Tuning: failed validation cases become training cases, and others replace them. */
  | { type: 'redraw'; toTraining: number[]; toValidation: number[] }
  | { type: 'proceed'; version: number }
  | {
      type: 'wait';
      hook: Hook;
      version: number;
      wouldStopAs: StopReason | null;
      asks: AskedScore[];
      toolCall: ToolCall | null;
    }
  | { type: 'stop'; ending: Ending };

/** An agent with a due turn. See `AgentTurn`. */
export type DueTurn = Pick<AgentTurn, 'agent' | 'delegation' | 'number'>;

export const CUT_OFFS = ['turn_limit', 'stalled', 'budget', 'no_answer'] as const;
/**
 * Reason why an agent was stopped before its answer: it used all its turns, repeated identical turns, had no budget for its next turn, or
 * neither answered nor used a tool. Stored as the version's `finishReason`.
 */
export type CutOff = (typeof CUT_OFFS)[number];

/** The cases that a version is scored on in a step. */
export type TryPart = { version: number; positions: number[] };

/** A prompt to propose from the failures of `parent` on these cases. For `component` and `strategy`, see `Proposal`. */
export type PlannedProposal = {
  parent: number;
  round: number;
  positions: number[];
  component?: string;
  strategy?: SingleStrategy;
};

/** Purpose of an example score: comparison on a proposal's cases, selection as a candidate, or the report on unseen cases. */
export type TryPurpose = 'minibatch' | 'validation' | 'held_out';

/**
 * The end of a run. Versions are referenced by number. `bestVersion`: null if none was fully scored. `finalVersion`: the accepted one, else
 * the last, scored or not (in a tuning run the best). Null if there is none.
 */
export type Ending = {
  reason: StopReason;
  alsoHeld: StopReason[];
  success: boolean;
  bestVersion: number | null;
  finalVersion: number | null;
  iterationsUsed: number;
  endedAt: string;
};

/** Records that a step added to the history. */
export type StepResult =
  | { type: 'version'; version: Version }
  /** At least one proposed version. For `durationMs` and `lost`, see `tries`. */
  | { type: 'proposals'; versions: Version[]; durationMs: number; lost: Spend }
  /** At least one turn. `recalled`: number of lessons in the attempt's prompt. For `durationMs` and `lost`, see `tries`. */
  | { type: 'turns'; turns: AgentTurn[]; recalled: number; durationMs: number; lost: Spend }
  | { type: 'observations'; observations: Observation[]; durationMs: number }
  | { type: 'evaluation'; evaluation: Evaluation }
  | { type: 'critique'; critique: Critique }
  | { type: 'lesson'; lesson: WrittenLesson }
  /** At least one example score. `durationMs`: wall-clock time, as many run in parallel. `lost`: spend of failed calls, due again. */
  | { type: 'tries'; tries: ExampleScore[]; durationMs: number; lost: Spend }
  | { type: 'redraw'; redraw: Redraw }
  | { type: 'decision'; decision: Decision }
  | { type: 'pause'; pause: Pause }
  | { type: 'failure'; failure: Failure }
  | { type: 'end'; ending: Ending; decision: Decision | null };

/** Returns the versions that a result adds. */
export function versionsOf(result: StepResult): Version[] {
  if (result.type === 'version') return [result.version];
  return result.type === 'proposals' ? result.versions : [];
}

/** True if a step calls a model or an external service. Earlier results are saved at the latest while it does. */
export function asksModel(step: Step, settings: ExperimentSettings): boolean {
  switch (step.type) {
    case 'generate':
    case 'attempt':
    case 'critique':
    case 'write_lesson':
    case 'write_reflection':
    case 'revise':
    case 'try':
    case 'propose':
    case 'combine':
    case 'turn':
    case 'use_tools':
      return true;
    case 'evaluate':
      // The evaluation of a tuned prompt is the mean of its example scores.
      if (settings.mode === 'tune') return false;
      return settings.criteria.some((one) => hasScoringCost(one) || scoringWebhook(one) !== null);
    case 'give':
      return writesFirstPrompt(settings);
    case 'vary':
      return checksModel(step.plan);
    case 'conclude':
    case 'merge':
    case 'demonstrate':
    case 'redraw':
    case 'proceed':
    case 'wait':
    case 'stop':
      return false;
  }
}
