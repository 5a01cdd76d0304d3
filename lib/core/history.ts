import type { AgentTurn, Observation, ToolCall } from './agents/agent-records.ts';
import type { Case } from './case.ts';
import type { ModelCheck } from './lesson-library.ts';
import type { ReflectionKind } from './lesson-schema.ts';
import type { ModelFailureKind } from './model-request.ts';
import type { ModelRole } from './settings.ts';

/** Tokens of one or several model calls; `total` = input + output. */
export type TokenUsage = { input: number; output: number; total: number };

/** What something cost to make. `costUsd` is null when the model has no known price. */
export type Spend = { tokenUsage: TokenUsage; costUsd: number | null; durationMs: number };

/** `branched`: the text of a version of another run, which the run began with; `given`: the prompt that a tuning run began with. */
export const VERSION_ORIGINS = ['generated', 'revised', 'retried', 'edited', 'merged', 'branched', 'given'] as const;
export type VersionOrigin = (typeof VERSION_ORIGINS)[number];
export type RevisionStrategy = 'full_rewrite' | 'targeted_edit' | 'incremental' | 'hybrid';
export type RecalledLesson = { lessonId: string; rank: number; score: number | null };

/**
 * One output of a run. `number` counts all versions from 0; `iteration` counts revisions (revise mode) or attempts less one
 * (retry mode). `step` is the number of the saved step that made the record, in all record types below.
 */
export type Version = Spend & {
  number: number;
  iteration: number;
  origin: VersionOrigin;
  parents: number[];
  output: string;
  /** The text was not kept when the run ended (`preserveAllVersions: false`): `output` is empty. */
  outputDropped: boolean;
  /** The way it was really revised in. */
  strategy: RevisionStrategy | null;
  /** For people: why `strategy` is not the one that was set, or what was wrong with the model's edits. */
  strategyNote: string | null;
  improvementsApplied: string[];
  finishReason: string;
  /** Cut off by its base (turn or budget limit): kept, but neither evaluated nor reflected on. */
  interrupted: boolean;
  recalledLessons: RecalledLesson[];
  /** Of a prompt that a tuning run proposed; null for all other versions. */
  proposal: Proposal | null;
  createdAt: string;
  step: number;
};

export const PROPOSAL_PROBLEMS = [
  'unreadable',
  'empty',
  'truncated',
  'unchanged',
  'repeated',
  'missing_variable',
  'unknown_variable',
  'too_long',
  'copied_cases',
  'copied_example',
] as const;
/**
 * What is wrong with a proposed prompt. All but `copied_example` keep it from being tried: that one only flags a quotation from a case
 * that is not for training; versions before `copied_cases` also flagged training cases so.
 */
export type ProposalProblem = { kind: (typeof PROPOSAL_PROBLEMS)[number]; text: string };

/** How a proposed prompt came to be: in which round (from 0), from which training cases, and what its model said is wrong with its parent. */
export type Proposal = { round: number; positions: number[]; diagnosis: string; problems: ProposalProblem[] };

export const SPLITS = ['train', 'validation', 'held_out'] as const;
export type Split = (typeof SPLITS)[number];
/** A case of a tuning run. */
export type TuningCase = Case & { position: number; split: Split };

/**
 * What a version of a tuning run made of one case; of several tries of the same the last counts. `issues`, `suggestions` and `feedback`
 * quote the reference only where `tune.references` is on and the case is not held out.
 */
export type ExampleScore = Spend &
  Pick<Evaluation, 'status' | 'criteriaScores' | 'satisfactory' | 'issues' | 'suggestions' | 'feedback' | 'detail'> & {
    version: number;
    position: number;
    /** Counts from 0: a case that could not be scored is tried once more. */
    attempt: number;
    output: string;
    finishReason: string;
    /** 0 to 1; null where it could not be scored. */
    score: number | null;
    /** Its replies were paid for before, by another run or in the playground. */
    paidBefore: boolean;
    createdAt: string;
    step: number;
  };

/**
 * Validation cases of a tuning run that became training cases, and the training cases that took their places, by position: at most once a
 * run. Evaluations of earlier steps are over the old set, and count for nothing once there are new ones.
 */
export type Redraw = { toTraining: number[]; toValidation: number[]; createdAt: string; step: number };

export const ISSUE_SCOPES = ['local', 'missing', 'whole'] as const;
/** How far an issue reaches: mended in one place, a part that is missing, or all of the text. */
export type IssueScope = (typeof ISSUE_SCOPES)[number];

/**
 * `scope` is said by critiques; where it is not, the issue is taken to reach the whole text. Issues of a run with the same `id` are one
 * issue, whatever their words; those without one, of older runs and of imports, get theirs by `withIssueIds`.
 */
export type EvaluationIssue = {
  criterion: string | null;
  text: string;
  scope?: IssueScope | undefined;
  id?: string | undefined;
};

/**
 * The scores of one version, all from 0 to 1; a criterion that could not be scored is null and makes the evaluation `partial`.
 * Append-only: a person's override is a second evaluation beside the machine's.
 */
export type Evaluation = Spend & {
  version: number;
  by: 'machine' | 'person';
  actor: string | null;
  reason: string | null;
  status: 'scored' | 'partial';
  overallScore: number | null;
  criteriaScores: Record<string, number | null>;
  reasons: Record<string, string>;
  satisfactory: boolean;
  issues: EvaluationIssue[];
  suggestions: string[];
  confidence: number | null;
  /** For models: never holds references or hidden tests. */
  feedback: string;
  /** For people only. */
  detail: string;
  /** The answer the evaluator compared, normalised; null where there is none. */
  answer: string | null;
  /** The judge is the very model that wrote the output. */
  sameModelJudge: boolean;
  /** The earlier version with the very same text whose evaluation this is; it was not judged again. Null or left out: its own. */
  copiedFrom?: number | null | undefined;
  /** Scores that a judge proposes for criteria that wait for a person, because it was not confident enough; by criterion. */
  proposed?: Record<string, number> | undefined;
  createdAt: string;
  step: number;
};

export const CRITIQUE_TRIGGERS = [
  'completion',
  'manual',
  'quality_drop',
  'error',
  'step_interval',
  'tool_result',
  'run_end',
] as const;
/**
 * Why a critique was made: in the loop's course, asked for by hand, because the score fell, because a call failed, or while an agent is at
 * work: after so many turns, or after a result of a tool. `run_end`: the reflection at the run's end, where its reply could not be used:
 * the text says why, and no lesson was stored.
 */
export type CritiqueTrigger = (typeof CRITIQUE_TRIGGERS)[number];

/**
 * What a model said is wrong with a version and how to mend it. One with the trigger `error` speaks of the version that could
 * not be made: its number may never have come to be. With `step_interval` and `tool_result` it speaks of one that is under way.
 */
export type Critique = Spend & {
  version: number;
  trigger: CritiqueTrigger;
  text: string;
  issues: EvaluationIssue[];
  suggestions: string[];
  createdAt: string;
  step: number;
};

/**
 * What the run learned: a lesson after a failed attempt, word for word (kind `lesson`), or its reflection at its end, whose fields
 * are its form's (`LESSON_FIELDS`). Lessons without a form have no fields.
 */
export type WrittenLesson = Spend & {
  id: string;
  version: number;
  kind: 'lesson' | ReflectionKind;
  text: string;
  fields: Record<string, string>;
  /** The screening found something when it was written: no prompt of the run has it. Left out where nothing was found. */
  withheld?: boolean | undefined;
  /** What the model said that checks new lessons; left out where none was asked, and of lessons that are stored: it stands in their checks. */
  modelCheck?: ModelCheck | undefined;
  createdAt: string;
  step: number;
};

export type Hook = (typeof HOOKS)[number];
/**
 * Verdicts end a pause: `continue`, `revise` (told something), `revert` (from another version), `accept`, `stop`, and `auto`, which
 * leaves it to the rules; where an agent wants to use a tool: `allow` and `refuse`. Acts: `override`, `restore` (of what was overridden), `score`, `edit` and `merge` (a version by hand, which is scored and asked about again),
 * `resume`.
 */
export const DECISION_KINDS = [
  'continue',
  'revise',
  'revert',
  'auto',
  'accept',
  'stop',
  'allow',
  'refuse',
  'edit',
  'merge',
  'override',
  'restore',
  'score',
  'resume',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];
export const HOOKS = ['onGeneration', 'onReflection', 'onRevision', 'onToolCall'] as const;
/** `policy` = the loop's own rules; `timeout` = nobody answered a pause in its time. */
export const DECIDERS = ['policy', 'person', 'webhook', 'code', 'timeout'] as const;
export type DecidedBy = (typeof DECIDERS)[number];
/** How the run stood when a decision was made: its versions and evaluations so far, the score of the version it speaks of, and what it would have stopped for. */
export type Seen = { versions: number; evaluations: number; score: number | null; wouldStopAs: StopReason | null };

/** What was answered at a hook, or done to the run from outside, by whom and why. */
export type Decision = {
  hook: Hook;
  version: number | null;
  iteration: number;
  decision: DecisionKind;
  by: DecidedBy;
  actor: string | null;
  reason: string | null;
  score: number | null;
  criterion: string | null;
  /** What the next revision of `version` (in retry mode: the next attempt) is asked to do. */
  guidance: string | null;
  /** The use of a tool that it speaks of, and the arguments a person gave it instead of the agent's; else null. */
  toolCallId: string | null;
  toolArguments: string | null;
  seen: Seen | null;
  pauseId: string | null;
  at: string;
  step: number;
};

/** A criterion that a person is to score, what they are asked, and what an unsure judge proposes. */
export type AskedScore = { criterion: string; question: string | null; proposed?: number | undefined };

/**
 * A run that waits for a person. `asks` names the scores it waits for; without any it waits for a verdict, and `wouldStopAs`
 * names the reason it would stop for if nobody had asked. At `onGeneration` and `onRevision` it waits before the version is
 * evaluated, and the rules have said nothing yet. At `onToolCall` it waits before an agent uses a tool; `version` is then the number of the
 * version that the agent works towards, which there is not yet.
 */
export type Pause = {
  pauseId: string;
  hook: Hook;
  version: number;
  wouldStopAs: StopReason | null;
  asks: AskedScore[];
  /** At `onToolCall`; else null. */
  toolCall: ToolCall | null;
  since: string;
  expiresAt: string | null;
};

export const FAILURE_KINDS = ['model_failed', 'internal_error', 'experiment_budget', 'month_budget'] as const;
/** The budgets are those over runs: the call was not made. */
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Why the last step could not be done, for a person. */
export type Failure = Spend & {
  kind: FailureKind;
  /** What the model's call failed of; null where it was no call. */
  cause: ModelFailureKind | null;
  role: ModelRole | null;
  message: string;
  remedy: string;
  step: number;
  at: string;
};

/** Everything a loop's next step depends on. Records stand in the order they were saved. */
export type History = {
  /** Characters of the case's input: the first estimate of a budget goes by it. */
  inputLength: number;
  versions: Version[];
  evaluations: Evaluation[];
  critiques: Critique[];
  lessons: WrittenLesson[];
  /** What agents did on the way to versions; empty where attempts are single calls. */
  turns: AgentTurn[];
  observations: Observation[];
  decisions: Decision[];
  /** Of a tuning run: its cases, and what its versions made of them; empty in other modes. */
  cases: TuningCase[];
  tries: ExampleScore[];
  /** Of a tuning run whose validation set was drawn anew; `cases` say on which side each is since. */
  redraw: Redraw | null;
  pause: Pause | null;
  failure: Failure | null;
  /** Paid for calls that ended in a failure and left no other record. */
  lostSpend: Spend;
  /** Calls of models so far, those that failed included; only counted where a budget asks for it. */
  calls: number;
  /** Number of the next step: one more than the highest saved. */
  step: number;
  /** Time spent working, in milliseconds; waiting for people does not count. */
  activeMs: number;
};

export const STOP_REASONS = [
  'user_accepted',
  'user_stopped',
  'model_failed',
  'evaluation_failed',
  'internal_error',
  'quality_met',
  'semantic_stability',
  'repeated_issues',
  'oscillation',
  'plateau',
  'diminishing',
  'nothing_to_mend',
  'cut_off',
  'max_iterations',
  'call_budget',
  'token_budget',
  'cost_budget',
  'time_budget',
  'experiment_budget',
  'month_budget',
] as const;
/** Why a run ended, in the order in which the rules are looked at. `cut_off`: its agent came to no answer, so there is nothing to revise. */
export type StopReason = (typeof STOP_REASONS)[number];

export const NO_SPEND: Spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, durationMs: 0 };
export const EMPTY_HISTORY: History = {
  inputLength: 0,
  versions: [],
  evaluations: [],
  critiques: [],
  lessons: [],
  turns: [],
  observations: [],
  decisions: [],
  cases: [],
  tries: [],
  redraw: null,
  pause: null,
  failure: null,
  lostSpend: NO_SPEND,
  calls: 0,
  step: 0,
  activeMs: 0,
};
