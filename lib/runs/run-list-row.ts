import { z } from 'zod';
import { DECIDERS } from '#lib/core/history.ts';
import { RUN_STATUSES } from '#lib/core/run-record.ts';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';

/**
 * Scores by version of run `r` up to the last evaluated one, the person's where there is one, null where unscored or passed over
 * unevaluated; a JSON list.
 */
export const SCORES_OF_RUN = `(
  WITH s AS (
    SELECT DISTINCT ON (e.version) e.version, CASE WHEN e.status = 'scored' THEN e.overall_score END AS score
    FROM evaluations e WHERE e.run_id = r.id ORDER BY e.version, (e.by = 'person') DESC, e.ordinal DESC)
  SELECT coalesce(json_agg(s.score ORDER BY v.number), '[]')
  FROM generate_series(0, (SELECT max(version) FROM s)) AS v(number) LEFT JOIN s ON s.version = v.number)`;

/** Who ended run `r` by an accept or a stop; null where its rules did. */
const ENDED_BY = `CASE WHEN r.convergence_reason IN ('user_accepted', 'user_stopped') THEN (
  SELECT json_build_object('by', d.by, 'actor', d.actor) FROM decisions d
  WHERE d.run_id = r.id AND d.by <> 'policy' AND d.decision IN ('accept', 'stop') ORDER BY d.ordinal DESC LIMIT 1) END`;

/** Columns of a run in a list; `r` = runs, `x` = experiments. */
export const RUN_COLUMNS = `r.id, r.number, r.experiment_id AS "experimentId", x.name AS "experimentName", left(r.input, 200) AS input, r.status,
  r.convergence_reason AS "convergenceReason", r.success, r.iterations_used AS "iterationsUsed", r.version_count AS "versionCount",
  r.first_score AS "firstScore", r.best_score AS "bestScore", r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens",
  r.cost_usd AS "costUsd", r.unpriced, r.created_at AS "createdAt", r.finished_at AS "finishedAt", ${SCORES_OF_RUN} AS scores, ${ENDED_BY} AS "endedBy",
  (SELECT count(*)::int FROM lessons l WHERE l.run_id = r.id) AS "lessonCount"`;

const date = z.date().transform((value) => value.toISOString());

export const runListRow = z.object({
  id: z.string(),
  number: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  input: z.string(),
  status: z.enum(RUN_STATUSES),
  convergenceReason: z.enum(STOP_REASONS).nullable(),
  endedBy: z.object({ by: z.enum(DECIDERS), actor: z.string().nullable() }).nullable(),
  success: z.boolean(),
  iterationsUsed: z.int(),
  versionCount: z.int(),
  firstScore: z.number().nullable(),
  bestScore: z.number().nullable(),
  scores: z.array(z.number().nullable()),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  lessonCount: z.int(),
  createdAt: date,
  finishedAt: date.nullable(),
});
/** A run in a list. */
export type RunRow = z.infer<typeof runListRow>;
