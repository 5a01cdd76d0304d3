import { z } from 'zod';
import { toolCallSchema } from './agents/agent-records.ts';
import { OBSERVATION_STATUSES } from './agents/observation-status.ts';
import { caseSchema } from './case.ts';
import { DECISION_KINDS } from './decision-kinds.ts';
import type { ModelCheck } from './lesson-library.ts';
import { REFLECTION_KINDS } from './lesson-schema.ts';
import { MODEL_FAILURE_KINDS } from './model-request.ts';
import { MODEL_ROLES } from './model-roles.ts';
import { REVISION_STRATEGIES } from './revision/strategy.ts';
import { modelReferenceSchema, TUNING_STRATEGIES } from './settings.ts';
import { STOP_REASONS } from './stop-reasons.ts';
import { targetResultSchema } from './targets/target-reply.ts';
import { NO_SPEND, type Spend, spendFields } from './token-usage.ts';

const score = z.number().min(0).max(1);
const count = z.int().min(0);
/** ISO 8601 in UTC. */
const timestamp = z.string();

/** `branched`: the text of a version of another run, which the run began with; `given`: the prompt that a tuning run began with. */
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
 * What is wrong with a proposed prompt. All but `copied_example` keep it from being tried: that one only flags a quotation from a case
 * that is not for training; versions before `copied_cases` also flagged training cases so.
 */
export type ProposalProblem = z.infer<typeof proposalSchema>['problems'][number];

/** The model and the temperature that a prompt is tried with in place of those of the settings. Without a key: that of the settings. */
export const candidateParametersSchema = z.object({
  model: modelReferenceSchema.optional(),
  temperature: z.number().optional(),
});

/**
 * How a proposed prompt came to be: in which round (from 0), from which training cases, and what its model said is wrong with its parent.
 * Without `positions` it goes straight to validation.
 */
const proposalSchema = z.object({
  round: count,
  positions: z.array(count),
  diagnosis: z.string(),
  problems: z.array(z.object({ kind: z.enum(PROPOSAL_PROBLEMS), text: z.string() })),
  /** The one component that was improved. Left out where all of the text was. */
  component: z.string().optional(),
  /** The components of its two parents were put together; no model was asked. */
  merged: z.literal(true).optional(),
  /** The proposals of one step that were combined into it, by number. Its first parent is the prompt that they were made from. */
  combined: z.array(count).optional(),
  /** Training cases that became worked examples in it, by position; no model was asked. */
  demonstrations: z.array(count).optional(),
  /**
   * The text of its parent with this model or temperature in place of those of the settings; no model was asked. Versions that are made
   * from it are tried with them too.
   */
  parameters: candidateParametersSchema.optional(),
  /** The strategy that made it. Left out where the settings name the only one. */
  strategy: z.enum(TUNING_STRATEGIES).exclude(['portfolio']).optional(),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** True if a model wrote the prompt from cases. False for merges, combinations, worked examples and variations. */
export function isFromCases(proposal: Proposal | null): proposal is Proposal {
  if (proposal === null || proposal.merged === true) return false;
  return !proposal.combined && !proposal.demonstrations && !proposal.parameters;
}

/**
 * One output of a run. `number` counts all versions from 0; `iteration` counts revisions (revise mode) or attempts less one
 * (retry mode). `step` is the number of the saved step that made the record, in all record types below.
 */
export const versionSchema = z.object({
  number: count,
  iteration: count,
  origin: z.enum(VERSION_ORIGINS),
  parents: z.array(count),
  output: z.string(),
  /** The text was not kept when the run ended (`preserveAllVersions: false`): `output` is empty. */
  outputDropped: z.boolean(),
  /** The way it was really revised in. */
  strategy: z.enum(REVISION_STRATEGIES).nullable(),
  /** For people: why `strategy` is not the one that was set, or what was wrong with the model's edits. */
  strategyNote: z.string().nullable(),
  improvementsApplied: z.array(z.string()),
  finishReason: z.string(),
  /** Cut off by its base (turn or budget limit): kept, but neither evaluated nor reflected on. */
  interrupted: z.boolean(),
  recalledLessons: z.array(recalledLessonSchema),
  /** Of a prompt that a tuning run proposed; null for all other versions. */
  proposal: proposalSchema.nullable(),
  /** The rest of a target's answer. Omitted unless a target made the version. */
  target: targetResultSchema.optional(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type Version = z.infer<typeof versionSchema>;

/** The version with a number. Throws if there is none. */
export function versionNumbered({ versions }: { versions: readonly Version[] }, number: number): Version {
  const found = versions.find((version) => version.number === number);
  if (found === undefined) throw new Error(`the history has no version ${number}`);
  return found;
}

export const SPLITS = ['train', 'validation', 'held_out'] as const;
export type Split = (typeof SPLITS)[number];
/** A case of a tuning run as it is stored. */
export const tuningCaseSchema = caseSchema.extend({ position: count, split: z.enum(SPLITS) });
/** A case of a tuning run. `weight`: how much it counts, by `tune.weightKey`. Left out: 1. */
export type TuningCase = z.infer<typeof tuningCaseSchema> & { weight?: number };

/**
 * Validation cases of a tuning run that became training cases, and the training cases that took their places, by position: at most once a
 * run. Evaluations of earlier steps are over the old set, and count for nothing once there are new ones.
 */
export const redrawSchema = z.object({
  toTraining: z.array(count),
  toValidation: z.array(count),
  createdAt: timestamp,
  step: count,
});
export type Redraw = z.infer<typeof redrawSchema>;

/** What issues are called within a run: `i1`, `i2`, … in the order in which they were first named. */
export const issueIdSchema = z.string().regex(/^i[1-9]\d{0,6}$/);

export const ISSUE_SCOPES = ['local', 'missing', 'whole'] as const;
/** How far an issue reaches: mended in one place, a part that is missing, or all of the text. */
export type IssueScope = (typeof ISSUE_SCOPES)[number];

/**
 * `scope` is said by critiques; where it is not, the issue is taken to reach the whole text. Issues of a run with the same `id` are one
 * issue, whatever their words; those without one, of older runs and of imports, get theirs by `withIssueIds`.
 */
const issueSchema = z.object({
  criterion: z.string().nullable(),
  text: z.string(),
  scope: z.enum(ISSUE_SCOPES).optional(),
  id: issueIdSchema.optional(),
});
export type EvaluationIssue = z.infer<typeof issueSchema>;

/**
 * The scores of one version, all from 0 to 1; a criterion that could not be scored is null and makes the evaluation `partial`.
 * Append-only: a person's override is a second evaluation beside the machine's.
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
  /** For models: never holds references or hidden tests. */
  feedback: z.string(),
  /** For people only. */
  detail: z.string(),
  /** The answer the evaluator compared, normalised; null where there is none. */
  answer: z.string().nullable(),
  /** The judge is the very model that wrote the output. */
  sameModelJudge: z.boolean(),
  /** The earlier version with the very same text whose evaluation this is; it was not judged again. Null or left out: its own. */
  copiedFrom: count.nullish(),
  /** Scores that a judge proposes for criteria that wait for a person, because it was not confident enough; by criterion. */
  proposed: z.record(z.string(), score).optional(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type Evaluation = z.infer<typeof evaluationSchema>;

/**
 * What a version of a tuning run made of one case; of several tries of the same the mean of the scores counts, else the last. `issues`, `suggestions` and `feedback`
 * quote the reference only where `tune.references` is on and the case is not held out.
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
    /** Counts from 0: a case that could not be scored is tried once more. */
    attempt: count,
    output: z.string(),
    /** The steps that led to the output, as `traceText` writes them. Omitted if there are none. */
    trace: z.string().optional(),
    finishReason: z.string(),
    /** Null where it could not be scored. */
    score: score.nullable(),
    /** Its replies were paid for before, by another run or in the playground. */
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
 * Why a critique was made: in the loop's course, asked for by hand, because the score fell, because a call failed, or while an agent is at
 * work: after so many turns, or after a result of a tool. `run_end`: the reflection at the run's end, where its reply could not be used:
 * the text says why, and no lesson was stored.
 */
export type CritiqueTrigger = (typeof CRITIQUE_TRIGGERS)[number];

/**
 * What a model said is wrong with a version and how to mend it. One with the trigger `error` speaks of the version that could
 * not be made: its number may never have come to be. With `step_interval` and `tool_result` it speaks of one that is under way.
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
 * What the run learned: a lesson after a failed attempt, word for word (kind `lesson`), or its reflection at its end, whose fields
 * are its form's (`LESSON_FIELDS`). Lessons without a form have no fields.
 */
export const writtenLessonSchema = z.object({
  id: z.string(),
  version: count,
  kind: z.enum(['lesson', ...REFLECTION_KINDS]),
  text: z.string(),
  fields: z.record(z.string(), z.string()),
  /** The screening found something when it was written: no prompt of the run has it. Left out where nothing was found. */
  withheld: z.boolean().optional(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type WrittenLesson = z.infer<typeof writtenLessonSchema> & {
  /** What the model said that checks new lessons; left out where none was asked, and of lessons that are stored: it stands in their checks. */
  modelCheck?: ModelCheck | undefined;
};

/**
 * One call of a model by an agent on its way to a version: what it thought, and either the tools it wants to use or its answer.
 * Source: ReAct (Yao et al. 2022): thought, action, observation.
 */
export const turnSchema = z.object({
  /** Number of the version that it works towards: there is none yet while the attempt is under way. */
  version: count,
  /** Counts the turns of one agent on one task from 0. */
  number: count,
  /** `main`, or the worker's name. */
  agent: z.string(),
  /** The delegation that a worker answers, by the id of its call; null for `main`. */
  delegation: z.string().nullable(),
  thought: z.string(),
  calls: z.array(toolCallSchema),
  /** How many more uses of tools it asked for than a turn may have (`MOST_CALLS`); they were not performed. */
  callsLeftOut: count,
  /** Null where it uses tools, or where its answer could not be read. */
  answer: z.string().nullable(),
  finishReason: z.string(),
  ...spendFields,
  createdAt: timestamp,
  step: count,
});
export type AgentTurn = z.infer<typeof turnSchema>;

/** What a tool answered, or why it did not; a worker's answer too. */
export const observationSchema = z.object({
  version: count,
  callId: z.string(),
  tool: z.string(),
  status: z.enum(OBSERVATION_STATUSES),
  /** At most `LONGEST_OBSERVATION` characters; hostile. */
  text: z.string(),
  durationMs: count,
  createdAt: timestamp,
  step: count,
});
export type Observation = z.infer<typeof observationSchema>;

export type Hook = (typeof HOOKS)[number];
export const HOOKS = ['onGeneration', 'onReflection', 'onRevision', 'onToolCall'] as const;
/** `policy` = the loop's own rules; `timeout` = nobody answered a pause in its time. */
export const DECIDERS = ['policy', 'person', 'webhook', 'code', 'timeout'] as const;
export type DecidedBy = (typeof DECIDERS)[number];
/** How the run stood when a decision was made: its versions and evaluations so far, the score of the version it speaks of, and what it would have stopped for. */
const seenSchema = z.object({
  versions: count,
  evaluations: count,
  score: score.nullable(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
});
export type Seen = z.infer<typeof seenSchema>;

/** What was answered at a hook, or done to the run from outside, by whom and why. */
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
  /** What the next revision of `version` (in retry mode: the next attempt) is asked to do. */
  guidance: z.string().nullable(),
  /** The use of a tool that it speaks of, and the arguments a person gave it instead of the agent's; else null. */
  toolCallId: z.string().nullable(),
  toolArguments: z.string().nullable(),
  seen: seenSchema.nullable(),
  pauseId: z.string().nullable(),
  at: timestamp,
  step: count,
});
export type Decision = z.infer<typeof decisionSchema>;

/** A criterion that a person is to score, what they are asked, and what an unsure judge proposes. */
const askedScoreSchema = z.object({
  criterion: z.string(),
  question: z.string().nullable(),
  proposed: score.optional(),
});
export type AskedScore = z.infer<typeof askedScoreSchema>;

/**
 * A run that waits for a person. `asks` names the scores it waits for; without any it waits for a verdict, and `wouldStopAs`
 * names the reason it would stop for if nobody had asked. At `onGeneration` and `onRevision` it waits before the version is
 * evaluated, and the rules have said nothing yet. At `onToolCall` it waits before an agent uses a tool; `version` is then the number of the
 * version that the agent works towards, which there is not yet.
 */
export const pauseSchema = z.object({
  pauseId: z.string(),
  hook: z.enum(HOOKS),
  version: count,
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
  asks: z.array(askedScoreSchema),
  /** At `onToolCall`; else null. */
  toolCall: toolCallSchema.nullable(),
  since: timestamp,
  expiresAt: timestamp.nullable(),
});
export type Pause = z.infer<typeof pauseSchema>;

/** With a budget, the call was not made. */
const FAILURE_KINDS = ['model_failed', 'internal_error', 'experiment_budget', 'month_budget'] as const;

/** Why the last step could not be done, for a person. */
export const failureSchema = z.object({
  kind: z.enum(FAILURE_KINDS),
  /** What the model's call failed of; null where it was no call. */
  cause: z.enum(MODEL_FAILURE_KINDS).nullable(),
  role: z.enum(MODEL_ROLES).nullable(),
  message: z.string(),
  remedy: z.string(),
  ...spendFields,
  step: count,
  at: timestamp,
});
export type Failure = z.infer<typeof failureSchema>;

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

/** What a version holds beside its text, number, origin and time where nothing else is said. */
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
