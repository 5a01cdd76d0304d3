import { z } from 'zod';
import { OBSERVATION_STATUSES, toolCallSchema } from './agents/agent-records.ts';
import { caseCriteriaSchema } from './case-criteria.ts';
import {
  CRITIQUE_TRIGGERS,
  DECIDERS,
  DECISION_KINDS,
  HOOKS,
  ISSUE_SCOPES,
  PROPOSAL_PROBLEMS,
  STOP_REASONS,
  VERSION_ORIGINS,
} from './history.ts';
import { ISSUE_STATES } from './issue-ledger.ts';
import { REFLECTION_KINDS } from './lesson-schema.ts';

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'finished', 'failed', 'stopped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const tokenUsageSchema = z.object({ input: z.int(), output: z.int(), total: z.int() });
const score = z.number().min(0).max(1);
const spend = { tokenUsage: tokenUsageSchema, costUsd: z.number().nullable(), durationMs: z.int() };
export const spendSchema = z.object(spend);

export const issueRecordSchema = z.object({
  id: z.string().meta({ description: 'Issues of a run with the same id are one issue, whatever their words.' }),
  text: z.string(),
  criterion: z.string().nullable(),
  state: z.enum(['opened', 'open', 'again']),
});

/** One issue across the versions of a run; see `issueLedger`. */
export const ledgerRowSchema = z.object({
  id: z.string(),
  text: z.string(),
  criterion: z.string().nullable(),
  states: z.record(z.string(), z.enum(ISSUE_STATES)).meta({
    description: 'By the number of the version: where the issue was opened, stood, was raised again or was resolved.',
  }),
});

export const evaluationRecordSchema = z.object({
  status: z.enum(['scored', 'partial']),
  by: z.enum(['machine', 'person']),
  actor: z.string().nullable(),
  reason: z.string().nullable(),
  overallScore: score.nullable(),
  criteriaScores: z.record(z.string(), score.nullable()),
  reasons: z.record(z.string(), z.string()),
  satisfactory: z.boolean(),
  issues: z.array(issueRecordSchema),
  suggestions: z.array(z.string()),
  confidence: score.nullable(),
  detail: z.string(),
  sameModelJudge: z.boolean(),
  /** The version with the very same text whose score this is: it was not judged again. */
  copiedFrom: z.int().nullable().default(null),
  /** What an unsure judge proposes for criteria that wait for a person. */
  proposed: z.record(z.string(), score).optional(),
  createdAt: z.string(),
  ...spend,
});
export type EvaluationRecord = z.infer<typeof evaluationRecordSchema>;

/** What a model said is wrong with a version, and what made it say so. */
export const critiqueRecordSchema = z.object({
  trigger: z.enum(CRITIQUE_TRIGGERS),
  text: z.string(),
  issues: z.array(
    z.object({
      text: z.string(),
      criterion: z.string().nullable(),
      scope: z.enum(ISSUE_SCOPES).optional(),
      id: z.string().optional(),
    }),
  ),
  suggestions: z.array(z.string()),
  createdAt: z.string(),
  ...spend,
});
export type CritiqueRecord = z.infer<typeof critiqueRecordSchema>;

/** A turn of an agent on its way to a version, which there may not be yet; see `AgentTurn`. */
export const turnRecordSchema = z.object({
  version: z.int(),
  number: z.int(),
  agent: z.string(),
  /** The id of the call that a worker answers; null for `main`. */
  delegation: z.string().nullable(),
  thought: z.string(),
  calls: z.array(toolCallSchema),
  /** How many more uses of tools it asked for than a turn may have: they were not performed. */
  callsLeftOut: z.int().min(0),
  answer: z.string().nullable(),
  finishReason: z.string(),
  createdAt: z.string(),
  ...spend,
});
export type TurnRecord = z.infer<typeof turnRecordSchema>;

/** What a tool, or a worker, answered an agent, by the id of the call. */
export const observationRecordSchema = z.object({
  version: z.int(),
  callId: z.string(),
  tool: z.string(),
  status: z.enum(OBSERVATION_STATUSES),
  /** Where only its beginning was asked for, the first 1,000 characters. */
  text: z.string(),
  /** Characters of the whole text. */
  length: z.int(),
  durationMs: z.int(),
  createdAt: z.string(),
});
export type ObservationRecord = z.infer<typeof observationRecordSchema>;

/** How a prompt that a tuning run proposed came to be, and what is wrong with it. */
export const proposalRecordSchema = z.object({
  round: z.int(),
  /** Of the training cases it was made from. */
  positions: z.array(z.int()),
  diagnosis: z.string(),
  /** All but `copied_example` keep it from being tried. */
  problems: z.array(z.object({ kind: z.enum(PROPOSAL_PROBLEMS), text: z.string() })),
});

export const versionRecordSchema = z.object({
  number: z.int(),
  iteration: z.int(),
  origin: z.enum(VERSION_ORIGINS),
  parents: z.array(z.int()),
  output: z.string(),
  /** The text was not kept when the run ended: `output` is empty. */
  outputDropped: z.boolean(),
  strategy: z.string().nullable(),
  /** Why the strategy is not the one that was set, or what was wrong with the model's edits. */
  strategyNote: z.string().nullable(),
  improvementsApplied: z.array(z.string()),
  finishReason: z.string(),
  /** The model reached its limit of tokens before the output was at its end. */
  cutOff: z.boolean(),
  /** Its agent was stopped before it came to an answer, `finishReason` says by what: it is neither evaluated nor reflected on. */
  interrupted: z.boolean(),
  createdAt: z.string(),
  /** Null where no tuning run proposed it. */
  proposal: proposalRecordSchema.nullable(),
  recalledLessons: z.array(z.object({ lessonId: z.string(), rank: z.int(), score: z.number().nullable() })),
  evaluations: z.array(evaluationRecordSchema),
  critiques: z.array(critiqueRecordSchema),
  /** Calls that made the output; `totalSpend` adds its evaluations and its critique or lesson. */
  ...spend,
  totalSpend: spendSchema,
});
export type VersionRecord = z.infer<typeof versionRecordSchema>;

export const seenSchema = z.object({
  versions: z.int(),
  evaluations: z.int(),
  score: score.nullable(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
});

export const decisionRecordSchema = z.object({
  hook: z.enum(HOOKS),
  version: z.int().nullable(),
  iteration: z.int(),
  decision: z.enum(DECISION_KINDS),
  by: z.enum(DECIDERS),
  actor: z.string().nullable(),
  reason: z.string().nullable(),
  score: score.nullable(),
  criterion: z.string().nullable(),
  /** What the next revision of `version` was asked to do. */
  guidance: z.string().nullable(),
  /** The use of a tool that it speaks of, and the arguments a person gave it instead of the agent's. */
  toolCallId: z.string().nullable(),
  toolArguments: z.string().nullable(),
  /** How the run stood when this was decided; null for what the rules or code decided. */
  seen: seenSchema.nullable(),
  pauseId: z.string().nullable(),
  at: z.string(),
});

/** A lesson a run wrote: after a failed attempt (kind `lesson`, without fields), or at its end in the form of how it came out. */
export const writtenLessonSchema = z.object({
  id: z.string(),
  version: z.int(),
  kind: z.enum(['lesson', ...REFLECTION_KINDS]),
  text: z.string(),
  fields: z.record(z.string(), z.string()),
  withheld: z.boolean().meta({
    description: 'The screening found something when the run wrote it, so that no prompt of the run has it.',
  }),
});

/** A run as the API and the pages show it: the whole history, versions named by number. */
export const runRecordSchema = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentVersion: z.int(),
  batchId: z.string(),
  /** The version of another run that its first version is; the run is null once it was deleted. */
  branchedFrom: z.object({ runId: z.string().nullable(), number: z.int().nullable(), version: z.int() }).nullable(),
  case: z.object({
    input: z.string(),
    reference: z.string().nullable(),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.unknown()),
    criteria: caseCriteriaSchema
      .nullable()
      .optional()
      .meta({ description: 'How the case is scored otherwise than the experiment says.' }),
  }),
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.enum(STOP_REASONS).nullable(),
  alsoHeld: z.array(z.enum(STOP_REASONS)),
  success: z.boolean(),
  failure: z
    .object({ kind: z.string(), role: z.string().nullable(), message: z.string(), remedy: z.string() })
    .nullable(),
  iterationsUsed: z.int(),
  executionTimeMs: z.int(),
  bestVersion: z.int().nullable().meta({
    description: 'What the rule of the settings picks among the fully scored versions; null where there is none.',
  }),
  finalVersion: z
    .int()
    .nullable()
    .meta({ description: 'The accepted version, else the last, scored or not; null while the run goes on.' }),
  bestOutput: z
    .string()
    .nullable()
    .meta({ description: 'null where there is no best version, or its text was not kept.' }),
  finalOutput: z.string().nullable(),
  /** What each best-version rule would pick; null where nothing is fully scored. */
  bestByRule: z.record(z.string(), z.int().nullable()),
  tokenUsage: tokenUsageSchema,
  costUsd: z.number(),
  /** Some call had no known price: `costUsd` leaves it out. */
  unpriced: z.boolean(),
  practice: z.boolean(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  lastEvent: z.int(),
  versions: z.array(versionRecordSchema),
  /** Every issue that was found in a version, in the order of finding. */
  issues: z.array(ledgerRowSchema),
  /** What agents did on the way to versions, those under way included; empty where attempts are single calls. */
  turns: z.array(turnRecordSchema),
  observations: z.array(observationRecordSchema),
  /** Critiques of a version that is under way, or that never came to be. */
  openCritiques: z.array(critiqueRecordSchema.extend({ version: z.int() })),
  decisions: z.array(decisionRecordSchema),
  lessons: z.array(writtenLessonSchema),
  waitingFor: z
    .object({
      pauseId: z.string(),
      /** `onGeneration` and `onRevision` are before the version is evaluated, `onToolCall` before there is one. */
      hook: z.enum(HOOKS),
      version: z.int(),
      wouldStopAs: z.enum(STOP_REASONS).nullable(),
      /** The scores that only a person can give; without any the run waits for a verdict. */
      asks: z.array(z.object({ criterion: z.string(), question: z.string().nullable(), proposed: score.optional() })),
      /** What the agent wants to use, at `onToolCall`. */
      toolCall: toolCallSchema.nullable(),
      since: z.string(),
      expiresAt: z.string().nullable(),
    })
    .nullable(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
