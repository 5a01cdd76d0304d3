import type { ToolCall } from './agents/agent-records.ts';
import { asksModelToScore, scoringWebhook } from './criterion.ts';
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

/** The one next thing a loop does. */
export type Step =
  | { type: 'generate' }
  | { type: 'attempt'; iteration: number }
  /** The next turns of the agents at work on a version, all at once: of `main`, or of workers that were given tasks in one turn. */
  | { type: 'turn'; version: number; iteration: number; agents: DueTurn[] }
  /** The tools that agents want to use, all at once. */
  | { type: 'use_tools'; version: number; calls: ToolCall[] }
  /** An agent's answer becomes a version, or what it came to when it was cut off. */
  | { type: 'conclude'; iteration: number; cutOff: CutOff | null }
  | { type: 'evaluate'; version: number }
  | { type: 'critique'; version: number; trigger: Exclude<CritiqueTrigger, 'run_end'> }
  | { type: 'write_lesson'; version: number }
  /**
   * The run's own reflection, in the form of how it came out; its last step before it ends for `reason`. There may be no such version, where
   * none was made. Not written where budgets of the run forbid it (`withheldBy`): then the step only says so.
   */
  | { type: 'write_reflection'; version: number; kind: ReflectionKind; reason: StopReason; withheldBy: StopReason[] }
  /** `regressed`: the version that fell, or was cut off and is no better, so that `from` is another one. */
  | { type: 'revise'; from: number; iteration: number; regressed: { version: number; fell: number } | null }
  /** Tuning: the prompt that was given becomes the first version. Without one, the reflection model writes it. */
  | { type: 'give' }
  /** Tuning: versions are tried on these cases in parallel. More cases may be due after them. */
  | { type: 'try'; parts: TryPart[]; purpose: TryPurpose }
  /** Tuning: the next prompts are proposed, all at once. */
  | { type: 'propose'; proposals: PlannedProposal[] }
  /**
   * Tuning: proposals that were accepted at the same time become one prompt. `components`: those that more than one of them changed, which
   * the model is asked to combine; undefined: all of the text.
   */
  | { type: 'combine'; parent: number; versions: number[]; components: (string | undefined)[]; round: number }
  /** Tuning: the components of two candidates become one; tried first on these cases. */
  | { type: 'merge'; plan: MergePlan; round: number; strategy?: SingleStrategy }
  /** Tuning: worked examples are added to the best candidate. The result is first tried on other training cases. */
  | { type: 'demonstrate'; plan: DemonstrationPlan; round: number; strategy?: SingleStrategy }
  /** Tuning: the best candidate with another model or temperature; tried first on these cases. */
  | { type: 'vary'; plan: VariationPlan; round: number }
  /** Tuning: missed validation cases become training cases, others take their places. */
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

/** An agent whose turn it is; see `AgentTurn`. */
export type DueTurn = Pick<AgentTurn, 'agent' | 'delegation' | 'number'>;

export const CUT_OFFS = ['turn_limit', 'stalled', 'budget', 'no_answer'] as const;
/**
 * Why an agent was stopped before its answer: it had all its turns, did the very same again and again, a budget would not hold
 * its next turn, or it neither answered nor used a tool. It stands as the version's `finishReason`.
 */
export type CutOff = (typeof CUT_OFFS)[number];

/** The cases that a version is tried on in a step. */
export type TryPart = { version: number; positions: number[] };

/** A prompt to propose from the failures of `parent` on these cases. `component`, `strategy`: see `Proposal`. */
export type PlannedProposal = {
  parent: number;
  round: number;
  positions: number[];
  component?: string;
  strategy?: SingleStrategy;
};

/** What a version is tried for: to be compared on a proposal's cases, to become a candidate, or to be reported on unseen cases. */
export type TryPurpose = 'minibatch' | 'validation' | 'held_out';

/**
 * How a run ended. Versions are named by number. `bestVersion`: null where nothing was fully scored; `finalVersion`: the accepted one, else
 * the last, scored or not (of a tuning run the best), null where there is none.
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

/** What doing a step added to the history. */
export type StepResult =
  | { type: 'version'; version: Version }
  /** At least one version that was proposed. `tookMs` and `lost` as for tries. */
  | { type: 'proposals'; versions: Version[]; tookMs: number; lost: Spend }
  /** At least one turn. `recalled`: how many lessons stand in the attempt's prompt. `tookMs` and `lost` as for tries. */
  | { type: 'turns'; turns: AgentTurn[]; recalled: number; tookMs: number; lost: Spend }
  | { type: 'observations'; observations: Observation[]; tookMs: number }
  | { type: 'evaluation'; evaluation: Evaluation }
  | { type: 'critique'; critique: Critique }
  | { type: 'lesson'; lesson: WrittenLesson }
  /** At least one try. `tookMs`: by the clock, for several run at a time; `lost`: paid for calls that failed and are due again. */
  | { type: 'tries'; tries: ExampleScore[]; tookMs: number; lost: Spend }
  | { type: 'redraw'; redraw: Redraw }
  | { type: 'decision'; decision: Decision }
  | { type: 'pause'; pause: Pause }
  | { type: 'failure'; failure: Failure }
  | { type: 'end'; ending: Ending; decision: Decision | null };

/** The versions that a result adds. */
export function versionsOf(result: StepResult): Version[] {
  if (result.type === 'version') return [result.version];
  return result.type === 'proposals' ? result.versions : [];
}

/** Whether a step asks a model or an outside service: everything made before it must be saved first. */
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
      // A tuned prompt's evaluation is the mean of its tries.
      if (settings.mode === 'tune') return false;
      return settings.criteria.some((one) => asksModelToScore(one) || scoringWebhook(one) !== null);
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
