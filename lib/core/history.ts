import { z } from 'zod';
import { agentCallSchema, toolCallSchema } from './agents/agent-records.ts';
import { OBSERVATION_STATUSES } from './agents/tool-calls.ts';
import { caseSchema } from './case.ts';
import { DECISION_KINDS } from './decision-kinds.ts';
import type { ModelCheck } from './lesson-library.ts';
import { REFLECTION_KINDS } from './lesson-schema.ts';
import { MODEL_FAILURE_KINDS } from './model-request.ts';
import { MODEL_ROLES } from './model-roles.ts';
import { REVISION_STRATEGIES } from './revision/strategy.ts';
import { modelReferenceSchema, TUNING_STRATEGIES } from './settings.ts';
import { STOP_REASONS } from './stop-reasons.ts';
import { targetResultSchema } from './targets/target-response.ts';
import { NO_SPEND, type Spend, spendFields } from './token-usage.ts';

const score = z.number().min(0).max(1);
const count = z.int().min(0);
/** ISO 8601 in UTC. */
const timestamp = z.string();

/** `branched`: the text of a version of another run, with which the run started. `given`: the initial prompt of a tuning run. */
const VERSION_ORIGINS = ['generated', 'revised', 'retried', 'edited', 'merged', 'branched', 'given'] as const;
export type VersionOrigin = (typeof VERSION_ORIGINS)[number];

const recalledLessonSchema = z.object({ lessonId: z.string(), rank: count, score: z.number().nullable() });
export type RecalledLesson = z.infer<typeof recalledLessonSchema>;

export const PROPOSAL_PROBLEMS = [
  'unreadable',
  'empty',
  'truncated',
  'unchanged',
  'repeated',
  'missing_variable',
  'unknown_variable',
  'changed_roles',
  'too_long',
  'copied_cases',
  'copied_example',
  'model_failed',
] as const;
/**
 * A problem of a proposed prompt. All but `copied_example` exclude it from evaluation. `copied_example` only flags a quotation from a case
 * outside the training split. Versions before `copied_cases` also used it for training cases.
 */
export type ProposalProblem = z.infer<typeof proposalSchema>['problems'][number];

/** Model and temperature of a prompt that replace those of the settings. A missing key means the value of the settings. */
export const candidateParametersSchema = z.object({
  model: modelReferenceSchema.optional(),
  temperature: z.number().optional(),
});

/**
 * Origin of a proposed prompt: its round (from 0), its training cases, and the problems of its parent according to the model. Without
 * `positions`, it goes straight to validation.
 */
const proposalSchema = z.object({
  round: count,
  positions: z.array(count),
  diagnosis: z.string(),
  problems: z.array(z.object({ kind: z.enum(PROPOSAL_PROBLEMS), text: z.string() })),
  /** The one component that was improved. Omitted if the whole text was. */
  component: z.string().optional(),
  /** The components of its two parents were merged without a model call. */
  merged: z.literal(true).optional(),
  /** Numbers of the proposals of one step that were combined into it. Its first parent is the prompt that they are based on. */
  combined: z.array(count).optional(),
  /** Positions of training cases that became worked examples in it, without a model call. */
  demonstrations: z.array(count).optional(),
  /** Its parent's text with this model or temperature, made without a call. Versions based on it use them too. */
  parameters: candidateParametersSchema.optional(),
  /** The strategy that created it. Omitted if the settings name only one. */
  strategy: z.enum(TUNING_STRATEGIES).exclude(['portfolio']).optional(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** True if a model wrote the prompt from cases. False for merges, combinations, worked examples and variations. */
export function isFromCases(proposal: Proposal | null): proposal is Proposal {
  if (proposal === null || proposal.merged === true) return false;
  return !proposal.combined && !proposal.demonstrations && !proposal.parameters;
}

/**
 * One output of a run. `number` counts all versions from 0. `iteration` counts revisions (revise mode) or attempts minus one (retry mode).
 * `step` is the number of the saved step that created the record, in all record types below.
 */
export const versionSchema = z.object({
  number: count,
  iteration: count,
  origin: z.enum(VERSION_ORIGINS),
  parents: z.array(count),
  output: z.string(),
  /** The text was deleted when the run ended (`preserveAllVersions: false`), so `output` is empty. */
  outputDropped: z.boolean(),
  /** The revision strategy that was actually used. */
  strategy: z.enum(REVISION_STRATEGIES).nullable(),
  /** For people: the reason why `strategy` differs from the settings, or the problem with the model's edits. */
  strategyNote: z.string().nullable(),
  improvementsApplied: z.array(z.string()),
  finishReason: z.string(),
  /** Cut off by its base (turn or budget limit): stored, but neither evaluated nor reflected on. */
  interrupted: z.boolean(),
  recalledLessons: z.array(recalledLessonSchema),
  /** Set for a prompt proposed by a tuning run, null for all other versions. */
  proposal: proposalSchema.nullable(),
  /** The other fields of a target's response. Omitted unless a target made the version. */
  target: targetResultSchema.optional(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type Version = z.infer<typeof versionSchema>;

/** Returns the version with a number. Throws if there is none. */
export function versionNumbered({ versions }: { versions: readonly Version[] }, number: number): Version {
  const found = versions.find((version) => version.number === number);
  if (found === undefined) throw new Error(`the history has no version ${number}`);
  return found;
}

export const SPLITS = ['train', 'validation', 'held_out'] as const;
export type Split = (typeof SPLITS)[number];
/** A stored case of a tuning run. */
export const tuningCaseSchema = caseSchema.extend({ position: count, split: z.enum(SPLITS) });
/** A case of a tuning run. `weight`: its weight from `tune.weightKey`, by default 1. */
export type TuningCase = z.infer<typeof tuningCaseSchema> & { weight?: number };

/**
 * Positions of validation cases of a tuning run that became training cases, and of the training cases that replaced them. At most once per
 * run. Evaluations of earlier steps used the old set, and no longer count once there are new ones.
 */
export const redrawSchema = z.object({
  toTraining: z.array(count),
  toValidation: z.array(count),
  createdAt: timestamp,
  step: count,
});
export type Redraw = z.infer<typeof redrawSchema>;

/** Ids of issues within a run: `i1`, `i2`, … in order of first appearance. */
export const issueIdSchema = z.string().regex(/^i[1-9]\d{0,6}$/);

export const ISSUE_SCOPES = ['local', 'missing', 'whole'] as const;
/** Extent of an issue: one place, a missing part, or the whole text. */
export type IssueScope = (typeof ISSUE_SCOPES)[number];

/**
 * `scope` is set by critiques. Without it, the issue concerns the whole text. Issues of a run with the same `id` are one issue, regardless
 * of wording. Issues without an id, from older runs and imports, get theirs from `withIssueIds`.
 */
const issueSchema = z.object({
  criterion: z.string().nullable(),
  text: z.string(),
  scope: z.enum(ISSUE_SCOPES).optional(),
  id: issueIdSchema.optional(),
});
export type EvaluationIssue = z.infer<typeof issueSchema>;

/**
 * Scores of one version, all from 0 to 1. A criterion that could not be scored is null and makes the evaluation `partial`. Append-only: a
 * person's override is a second evaluation in addition to the automatic one.
 */
export const evaluationSchema = z.object({
  version: count,
  by: z.enum(['machine', 'person']),
  actor: z.string().nullable(),
  reason: z.string().nullable(),
  status: z.enum(['scored', 'partial']),
  overallScore: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  reasons: z.record(z.string(), z.string()),
  satisfactory: z.boolean(),
  issues: z.array(issueSchema),
  suggestions: z.array(z.string()),
  confidence: score.nullable(),
  /** For models. Never contains references or hidden tests. */
  feedback: z.string(),
  /** For people only. */
  detail: z.string(),
  /** The answer that the evaluator compared, normalized. Null if none. */
  answer: z.string().nullable(),
  /** True if the judge is the same model that wrote the output. */
  sameModelJudge: z.boolean(),
  /** The earlier version with identical text whose evaluation was copied. Null or omitted if it was judged. */
  copiedFrom: count.nullish(),
  /** Scores that an unsure judge proposes, by criterion. The criteria wait for a person. */
  proposed: z.record(z.string(), score).optional(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type Evaluation = z.infer<typeof evaluationSchema>;

/**
 * Result of a version of a tuning run on one case. If the same one was scored several times, the mean of the scores counts, else the last.
 * `issues`, `suggestions` and `feedback` only quote the reference if `tune.references` is on and the case is not held out.
 */
export const exampleScoreSchema = evaluationSchema
  .pick({
    status: true,
    criteriaScores: true,
    satisfactory: true,
    issues: true,
    suggestions: true,
    feedback: true,
    detail: true,
  })
  .extend({
    version: count,
    position: count,
    /** Starts at 0. A case that could not be scored is tried once more. */
    attempt: count,
    output: z.string(),
    /** The steps that led to the output, as `traceText` writes them. Omitted if there are none. */
    trace: z.string().optional(),
    finishReason: z.string(),
    /** Null if it could not be scored. */
    score: score.nullable(),
    /** True if its responses were already paid for, by another run or in the playground. */
    paidBefore: z.boolean(),
    ...spendFields,
    createdAt: timestamp,
    step: count,
  });
export type ExampleScore = z.infer<typeof exampleScoreSchema>;

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
 * Reason for a critique: part of the loop, manual request, drop of the score, failed call, or during an agent's work, after a number of
 * turns or a tool result. `run_end`: a reflection at the end of the run whose response was unusable. Its text is the reason, and no lesson
 * was stored.
 */
export type CritiqueTrigger = (typeof CRITIQUE_TRIGGERS)[number];

/**
 * Problems of a version and their remedies, according to a model. With the trigger `error`, it is about the version that could not be made,
 * whose number may never exist. With `step_interval` and `tool_result`, it is about a version in progress.
 */
export const critiqueSchema = z.object({
  version: count,
  trigger: z.enum(CRITIQUE_TRIGGERS),
  text: z.string(),
  issues: z.array(issueSchema),
  suggestions: z.array(z.string()),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type Critique = z.infer<typeof critiqueSchema>;

/**
 * A lesson of the run: after a failed attempt, verbatim (kind `lesson`), or the reflection at its end with the fields of its form
 * (`LESSON_FIELDS`). Lessons without a form have no fields.
 */
export const writtenLessonSchema = z.object({
  id: z.string(),
  version: count,
  kind: z.enum(['lesson', ...REFLECTION_KINDS]),
  text: z.string(),
  fields: z.record(z.string(), z.string()),
  /** Screening found a problem when it was written, so it is in no prompt of the run. Omitted if nothing was found. */
  withheld: z.boolean().optional(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type WrittenLesson = z.infer<typeof writtenLessonSchema> & {
  /** Result of the model check of a new lesson. Omitted without a model call, and for stored lessons, whose checks contain it. */
  modelCheck?: ModelCheck | undefined;
};

/**
 * One model call of an agent towards a version: its thought, and either its tool calls or its answer. Source: ReAct (Yao et al. 2022):
 * thought, action, observation.
 */
export const turnSchema = z.object({
  /** Number of the version that the turn contributes to. It does not exist while the attempt is in progress. */
  version: count,
  /** Index of the turn of one agent on one task, from 0. */
  number: count,
  /** `main`, or the worker's name. */
  agent: z.string(),
  /** Call id of the delegation that a worker performs. Null for `main`. */
  delegation: z.string().nullable(),
  thought: z.string(),
  calls: z.array(agentCallSchema),
  /** Number of tool calls beyond the limit of a turn (`MAX_CALLS_PER_TURN`), which were not performed. */
  callsLeftOut: count,
  /** Null if it calls tools, or if its answer could not be parsed. */
  answer: z.string().nullable(),
  finishReason: z.string(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type AgentTurn = z.infer<typeof turnSchema>;

/** Result or error of a tool call, or the answer of a worker. */
export const observationSchema = z.object({
  version: count,
  callId: z.string(),
  tool: z.string(),
  status: z.enum(OBSERVATION_STATUSES),
  /** At most `MAX_OBSERVATION_LENGTH` characters. Untrusted. */
  text: z.string(),
  durationMs: count,
  createdAt: timestamp,
  step: count,
});
export type Observation = z.infer<typeof observationSchema>;

export type Hook = (typeof HOOKS)[number];
export const HOOKS = ['onGeneration', 'onReflection', 'onRevision', 'onToolCall'] as const;
/** `policy`: the loop's own rules. `timeout`: nobody answered a pause in time. */
export const DECIDERS = ['policy', 'person', 'webhook', 'code', 'timeout'] as const;
export type DecidedBy = (typeof DECIDERS)[number];
/**
 * State of the run at a decision: its versions and evaluations so far, the score of the version concerned, and the reason for which it
 * would have stopped.
 */
const seenSchema = z.object({
  versions: count,
  evaluations: count,
  score: score.nullable(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
});
export type Seen = z.infer<typeof seenSchema>;

/** A decision made at a hook or applied to the run from outside, with its author and reason. */
export const decisionSchema = z.object({
  hook: z.enum(HOOKS),
  version: count.nullable(),
  iteration: count,
  decision: z.enum(DECISION_KINDS),
  by: z.enum(DECIDERS),
  actor: z.string().nullable(),
  reason: z.string().nullable(),
  score: score.nullable(),
  criterion: z.string().nullable(),
  /** Instruction for the next revision of `version` (in retry mode: the next attempt). */
  guidance: z.string().nullable(),
  /** The tool call concerned, and the arguments with which a person replaced the agent's. Null for other decisions. */
  toolCallId: z.string().nullable(),
  toolArguments: z.string().nullable(),
  seen: seenSchema.nullable(),
  pauseId: z.string().nullable(),
  at: timestamp,
  step: count,
});
export type Decision = z.infer<typeof decisionSchema>;

/** The parts that most decisions do not have. */
export const PLAIN_DECISION = {
  ...{ actor: null, reason: null, score: null, criterion: null, guidance: null },
  ...{ toolCallId: null, toolArguments: null, seen: null, pauseId: null },
} satisfies Partial<Decision>;

/** A criterion that a person has to score, the question shown, and the proposal of an unsure judge. */
const askedScoreSchema = z.object({
  criterion: z.string(),
  question: z.string().nullable(),
  proposed: score.optional(),
});
export type AskedScore = z.infer<typeof askedScoreSchema>;

/**
 * A run that waits for a person. `asks` lists the scores it waits for. If empty, it waits for a verdict, and `wouldStopAs` is the reason
 * for which it would stop otherwise.
 * At `onGeneration` and `onRevision`, it waits before the version is evaluated, so the rules have not been applied. At `onToolCall`, it
 * waits before a tool call of an agent. `version` is then the version in progress, which does not exist yet.
 */
export const pauseSchema = z.object({
  pauseId: z.string(),
  hook: z.enum(HOOKS),
  version: count,
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
  asks: z.array(askedScoreSchema),
  /** Set at `onToolCall`, else null. */
  toolCall: toolCallSchema.nullable(),
  since: timestamp,
  expiresAt: timestamp.nullable(),
});
export type Pause = z.infer<typeof pauseSchema>;

/** With a budget, the call was not made. */
const FAILURE_KINDS = ['model_failed', 'internal_error', 'call_budget', 'experiment_budget', 'month_budget'] as const;

/** Reason why the last step failed, for people. */
export const failureSchema = z.object({
  kind: z.enum(FAILURE_KINDS),
  /** Cause of the failure of the model call. Null if it was not a call. */
  cause: z.enum(MODEL_FAILURE_KINDS).nullable(),
  role: z.enum(MODEL_ROLES).nullable(),
  message: z.string(),
  remedy: z.string(),
  ...spendFields,
  step: count,
  at: timestamp,
});
export type Failure = z.infer<typeof failureSchema>;

/** State that determines a loop's next step. Records are in the order they were saved. */
export type History = {
  /** Length of the case's input in characters. Used for the first budget estimate. */
  inputLength: number;
  versions: Version[];
  evaluations: Evaluation[];
  critiques: Critique[];
  lessons: WrittenLesson[];
  /** Turns of agents towards versions. Empty if attempts are single calls. */
  turns: AgentTurn[];
  observations: Observation[];
  decisions: Decision[];
  /** Cases of a tuning run, and the example scores of its versions. Empty in other modes. */
  cases: TuningCase[];
  tries: ExampleScore[];
  /** Set for a tuning run whose validation set was redrawn. `cases` have the splits after it. */
  redraw: Redraw | null;
  pause: Pause | null;
  failure: Failure | null;
  /** Spend of failed calls without any other record. */
  lostSpend: Spend;
  /** Model calls so far, including failed ones. Only counted if a budget requires it. */
  calls: number;
  /** Number of the next step: the highest saved one plus one. */
  step: number;
  /** Working time in milliseconds. Waiting for people does not count. */
  activeMs: number;
};

/** Default values of a new version, without text, number, origin and time. */
export const NEW_VERSION = {
  ...NO_SPEND,
  parents: [],
  strategy: null,
  strategyNote: null,
  outputDropped: false,
  improvementsApplied: [],
  finishReason: 'stop',
  interrupted: false,
  recalledLessons: [],
  proposal: null,
} satisfies Partial<Version>;

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
