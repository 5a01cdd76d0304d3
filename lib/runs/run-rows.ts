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
  STOP_REASONS,
  tuningCaseSchema,
  turnSchema,
  versionSchema,
  writtenLessonSchema,
} from '#lib/core/history.ts';
import { RUN_STATUSES } from '#lib/core/run-record.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { columnsOf } from './record-columns.ts';

/** A timestamp as PostgreSQL writes it into JSON, as ISO 8601 in UTC. */
const timestamp = z.string().transform((text) => new Date(text).toISOString());
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
  redraw: redrawSchema.nullable(),
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
