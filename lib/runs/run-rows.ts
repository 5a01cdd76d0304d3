import { z } from 'zod';
import { OBSERVATION_STATUSES, toolCallSchema } from '#lib/core/agents/agent-records.ts';
import { runBudgetSchema } from '#lib/core/budget-settings.ts';
import {
  type AgentTurn,
  CRITIQUE_TRIGGERS,
  type Critique,
  DECIDERS,
  DECISION_KINDS,
  type Decision,
  type Evaluation,
  type ExampleScore,
  FAILURE_KINDS,
  HOOKS,
  ISSUE_SCOPES,
  type Observation,
  PROPOSAL_PROBLEMS,
  SPLITS,
  STOP_REASONS,
  VERSION_ORIGINS,
  type Version,
  type WrittenLesson,
} from '#lib/core/history.ts';
import { issueIdSchema } from '#lib/core/issues/identify-issues.ts';
import { REFLECTION_KINDS } from '#lib/core/lesson-schema.ts';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';
import { RUN_STATUSES, seenSchema } from '#lib/core/run-record.ts';
import { MODEL_ROLES, REVISION_STRATEGIES } from '#lib/core/settings.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';

/** A timestamp as PostgreSQL writes it into JSON, as ISO 8601 in UTC. */
const timestamp = z.string().transform((text) => new Date(text).toISOString());
const spendColumns = {
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable(),
  duration_ms: z.int(),
};

function spendOfRow(row: {
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  duration_ms: number;
}): Spend {
  const total = row.input_tokens + row.output_tokens;
  return {
    tokenUsage: { input: row.input_tokens, output: row.output_tokens, total },
    costUsd: row.cost_usd,
    durationMs: row.duration_ms,
  };
}

const issuesColumn = z.array(
  z.object({
    criterion: z.string().nullable(),
    text: z.string(),
    scope: z.enum(ISSUE_SCOPES).optional(),
    id: issueIdSchema.optional(),
  }),
);

export const proposalColumn = z.object({
  round: z.int(),
  positions: z.array(z.int()),
  diagnosis: z.string(),
  problems: z.array(z.object({ kind: z.enum(PROPOSAL_PROBLEMS), text: z.string() })),
});

export const versionRow = z
  .object({
    number: z.int(),
    iteration: z.int(),
    origin: z.enum(VERSION_ORIGINS),
    parents: z.array(z.int()),
    output: z.string(),
    output_dropped: z.boolean(),
    strategy: z.enum(REVISION_STRATEGIES).nullable(),
    strategy_note: z.string().nullable(),
    improvements_applied: z.array(z.string()),
    finish_reason: z.string(),
    interrupted: z.boolean(),
    proposal: proposalColumn.nullable(),
    ...spendColumns,
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): Version => ({
      ...spendOfRow(row),
      number: row.number,
      iteration: row.iteration,
      origin: row.origin,
      parents: row.parents,
      output: row.output,
      outputDropped: row.output_dropped,
      strategy: row.strategy,
      strategyNote: row.strategy_note,
      improvementsApplied: row.improvements_applied,
      finishReason: row.finish_reason,
      interrupted: row.interrupted,
      recalledLessons: [],
      proposal: row.proposal,
      createdAt: row.created_at,
      step: row.step,
    }),
  );

export const evaluationRow = z
  .object({
    version: z.int(),
    by: z.enum(['machine', 'person']),
    actor: z.string().nullable(),
    reason: z.string().nullable(),
    status: z.enum(['scored', 'partial']),
    overall_score: z.number().nullable(),
    criteria_scores: z.record(z.string(), z.number().nullable()),
    reasons: z.record(z.string(), z.string()),
    satisfactory: z.boolean(),
    issues: issuesColumn,
    suggestions: z.array(z.string()),
    confidence: z.number().nullable(),
    feedback: z.string(),
    detail: z.string(),
    answer: z.string().nullable(),
    same_model_judge: z.boolean(),
    copied_from: z.int().nullable(),
    proposed: z.record(z.string(), z.number()).nullable(),
    ...spendColumns,
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): Evaluation => ({
      ...spendOfRow(row),
      version: row.version,
      by: row.by,
      actor: row.actor,
      reason: row.reason,
      status: row.status,
      overallScore: row.overall_score,
      criteriaScores: row.criteria_scores,
      reasons: row.reasons,
      satisfactory: row.satisfactory,
      issues: row.issues,
      suggestions: row.suggestions,
      confidence: row.confidence,
      feedback: row.feedback,
      detail: row.detail,
      answer: row.answer,
      sameModelJudge: row.same_model_judge,
      ...(row.copied_from !== null && { copiedFrom: row.copied_from }),
      ...(row.proposed !== null && { proposed: row.proposed }),
      createdAt: row.created_at,
      step: row.step,
    }),
  );

/** A case of a tuning run: its row as it stands. */
export const caseRow = z.object({
  position: z.int(),
  split: z.enum(SPLITS),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
});

export const tryRow = z
  .object({
    version: z.int(),
    position: z.int(),
    attempt: z.int(),
    output: z.string(),
    finish_reason: z.string(),
    status: z.enum(['scored', 'partial']),
    score: z.number().nullable(),
    criteria_scores: z.record(z.string(), z.number().nullable()),
    satisfactory: z.boolean(),
    issues: issuesColumn,
    suggestions: z.array(z.string()),
    feedback: z.string(),
    detail: z.string(),
    paid_before: z.boolean(),
    ...spendColumns,
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): ExampleScore => ({
      ...spendOfRow(row),
      version: row.version,
      position: row.position,
      attempt: row.attempt,
      output: row.output,
      finishReason: row.finish_reason,
      status: row.status,
      score: row.score,
      criteriaScores: row.criteria_scores,
      satisfactory: row.satisfactory,
      issues: row.issues,
      suggestions: row.suggestions,
      feedback: row.feedback,
      detail: row.detail,
      paidBefore: row.paid_before,
      createdAt: row.created_at,
      step: row.step,
    }),
  );

export const critiqueRow = z
  .object({
    version: z.int(),
    trigger: z.enum(CRITIQUE_TRIGGERS),
    text: z.string(),
    issues: issuesColumn,
    suggestions: z.array(z.string()),
    ...spendColumns,
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): Critique => ({
      ...spendOfRow(row),
      version: row.version,
      trigger: row.trigger,
      text: row.text,
      issues: row.issues,
      suggestions: row.suggestions,
      createdAt: row.created_at,
      step: row.step,
    }),
  );

export const lessonRow = z
  .object({
    id: z.string(),
    version: z.int(),
    kind: z.enum(['lesson', ...REFLECTION_KINDS]),
    text: z.string(),
    fields: z.record(z.string(), z.string()),
    withheld: z.boolean(),
    ...spendColumns,
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): WrittenLesson => ({
      ...spendOfRow(row),
      id: row.id,
      version: row.version,
      kind: row.kind,
      text: row.text,
      fields: row.fields,
      ...(row.withheld && { withheld: true }),
      createdAt: row.created_at,
      step: row.step,
    }),
  );

export const decisionRow = z
  .object({
    hook: z.enum(HOOKS),
    version: z.int().nullable(),
    iteration: z.int(),
    decision: z.enum(DECISION_KINDS),
    by: z.enum(DECIDERS),
    actor: z.string().nullable(),
    reason: z.string().nullable(),
    score: z.number().nullable(),
    criterion: z.string().nullable(),
    guidance: z.string().nullable(),
    tool_call_id: z.string().nullable(),
    tool_arguments: z.string().nullable(),
    seen: seenSchema.nullable(),
    pause_id: z.string().nullable(),
    step: z.int(),
    at: timestamp,
  })
  .transform(
    ({ pause_id, tool_call_id, tool_arguments, ...row }): Decision => ({
      ...row,
      toolCallId: tool_call_id,
      toolArguments: tool_arguments,
      pauseId: pause_id,
    }),
  );

export const turnRow = z
  .object({
    version: z.int(),
    delegation: z.string(),
    number: z.int(),
    agent: z.string(),
    thought: z.string(),
    calls: z.array(toolCallSchema),
    calls_left_out: z.int(),
    answer: z.string().nullable(),
    finish_reason: z.string(),
    ...spendColumns,
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): AgentTurn => ({
      ...spendOfRow(row),
      version: row.version,
      number: row.number,
      agent: row.agent,
      delegation: row.delegation === '' ? null : row.delegation,
      thought: row.thought,
      calls: row.calls,
      callsLeftOut: row.calls_left_out,
      answer: row.answer,
      finishReason: row.finish_reason,
      createdAt: row.created_at,
      step: row.step,
    }),
  );

export const observationRow = z
  .object({
    version: z.int(),
    call_id: z.string(),
    tool: z.string(),
    status: z.enum(OBSERVATION_STATUSES),
    text: z.string(),
    duration_ms: z.int(),
    step: z.int(),
    created_at: timestamp,
  })
  .transform(
    (row): Observation => ({
      version: row.version,
      callId: row.call_id,
      tool: row.tool,
      status: row.status,
      text: row.text,
      durationMs: row.duration_ms,
      createdAt: row.created_at,
      step: row.step,
    }),
  );

export const recallRow = z.object({
  version: z.int(),
  rank: z.int(),
  lesson_id: z.string(),
  score: z.number().nullable(),
});

export const pauseColumn = z.object({
  pauseId: z.string(),
  hook: z.enum(HOOKS),
  version: z.int(),
  wouldStopAs: z.enum(STOP_REASONS).nullable(),
  // Pauses from before runs could ask for scores have none.
  asks: z
    .array(z.object({ criterion: z.string(), question: z.string().nullable(), proposed: z.number().optional() }))
    .default([]),
  // Pauses from before agents used tools have none.
  toolCall: toolCallSchema.nullable().default(null),
  since: z.string(),
  expiresAt: z.string().nullable(),
});

const usageColumn = z.object({ input: z.int(), output: z.int(), total: z.int() });
export const failureColumn = z.object({
  kind: z.enum(FAILURE_KINDS),
  /** Failures stored before causes were kept have none. */
  cause: z.enum(MODEL_FAILURE_KINDS).nullable().default(null),
  role: z.enum(MODEL_ROLES).nullable(),
  message: z.string(),
  remedy: z.string(),
  step: z.int(),
  at: z.string(),
  tokenUsage: usageColumn,
  costUsd: z.number().nullable(),
  durationMs: z.int(),
});

/** The run's own row, without what lists repeat of its history. */
const redrawColumn = z.object({
  toTraining: z.array(z.int()),
  toValidation: z.array(z.int()),
  createdAt: z.string(),
  step: z.int(),
});

export const runRow = z.object({
  id: z.string(),
  number: z.int(),
  experiment_id: z.string(),
  experiment_version: z.int(),
  batch_id: z.string(),
  position: z.int(),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
  status: z.enum(RUN_STATUSES),
  convergence_reason: z.enum(STOP_REASONS).nullable(),
  also_held: z.array(z.enum(STOP_REASONS)),
  success: z.boolean(),
  failure: failureColumn.nullable(),
  pause: pauseColumn.nullable(),
  redraw: redrawColumn.nullable(),
  claim: z.int(),
  idle_claims: z.int(),
  step: z.int(),
  event_number: z.int(),
  decision_count: z.int(),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  active_ms: z.int(),
  final_version: z.int().nullable(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number(),
  call_count: z.int(),
  unpriced: z.boolean(),
  branched_from_run_id: z.string().nullable(),
  branched_from_version: z.int().nullable(),
  own_budget: runBudgetSchema.nullish(),
});
export type RunRow = z.infer<typeof runRow>;
