import { z } from 'zod';
import { runBudgetSchema } from '#lib/core/budget-settings.ts';
import {
  critiqueSchema,
  decisionSchema,
  evaluationSchema,
  exampleScoreSchema,
  failureSchema,
  observationSchema,
  pauseSchema,
  redrawSchema,
  tuningCaseSchema,
  turnSchema,
  versionSchema,
  writtenLessonSchema,
} from '#lib/core/history.ts';
import { RUN_STATUSES } from '#lib/core/run-record.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { tokenUsageSchema } from '#lib/core/token-usage.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { columnsOf } from './record-columns.ts';

export const VERSION_COLUMNS = columnsOf(versionSchema.omit({ recalledLessons: true }));
export const EVALUATION_COLUMNS = columnsOf(evaluationSchema);
export const CRITIQUE_COLUMNS = columnsOf(critiqueSchema);
export const LESSON_COLUMNS = columnsOf(writtenLessonSchema, { types: { id: 'uuid' } });
export const TRY_COLUMNS = columnsOf(exampleScoreSchema);
export const DECISION_COLUMNS = columnsOf(decisionSchema, { types: { pauseId: 'uuid' } });
export const TURN_COLUMNS = columnsOf(turnSchema, { emptyForNull: ['delegation'] });
export const OBSERVATION_COLUMNS = columnsOf(observationSchema);

/** A case of a tuning run: its row as it stands. */
export const caseRow = tuningCaseSchema.extend({ criteria: criteriaColumn });

export const recallRow = z.object({
  version: z.int(),
  rank: z.int(),
  lesson_id: z.string(),
  score: z.number().nullable(),
});

const pauseColumn = pauseSchema.extend({
  // Pauses from before runs could ask for scores have none.
  asks: pauseSchema.shape.asks.default([]),
  // Pauses from before agents used tools have none.
  toolCall: pauseSchema.shape.toolCall.default(null),
});

export const failureColumn = failureSchema.extend({
  /** Failures stored before causes were kept have none. */
  cause: failureSchema.shape.cause.default(null),
});

/** The run's own row, without what lists repeat of its history. */
const runRecordRow = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentVersion: z.int(),
  batchId: z.string(),
  position: z.int(),
  input: z.string(),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  criteria: criteriaColumn,
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.enum(STOP_REASONS).nullable(),
  alsoHeld: z.array(z.enum(STOP_REASONS)),
  success: z.boolean(),
  failure: failureColumn.nullable(),
  pause: pauseColumn.nullable(),
  redraw: redrawSchema.nullable(),
  claim: z.int(),
  idleClaims: z.int(),
  step: z.int(),
  eventNumber: z.int(),
  decisionCount: z.int(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  activeMs: z.int(),
  finalVersion: z.int().nullable(),
  tokenUsage: tokenUsageSchema,
  costUsd: z.number(),
  callCount: z.int(),
  unpriced: z.boolean(),
  branchedFromRunId: z.string().nullable(),
  branchedFromVersion: z.int().nullable(),
  ownBudget: runBudgetSchema.nullish(),
});
export const RUN_COLUMNS = columnsOf(runRecordRow);
export type RunRow = z.infer<typeof runRecordRow>;
