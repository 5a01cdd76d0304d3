import { z } from 'zod';
import { DECISION_KINDS } from '#lib/core/decision-kinds.ts';
import { DECIDERS, type History } from '#lib/core/history.ts';
import { LESSON_ADMISSIONS } from '#lib/core/lesson-library.ts';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-schema.ts';
import { PAID_BEFORE } from '#lib/core/paid-before.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { toRunRecord } from '#lib/core/to-run-record.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { recalledTexts } from '#lib/lessons/recalled-texts.ts';
import { type TuningSummary, tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { findRunNumber } from './branches.ts';
import { loadRun } from './load-run.ts';
import type { RunLessons } from './schema.ts';

const written = z.object({
  id: z.string(),
  kind: z.enum(LESSON_KINDS),
  status: z.enum(LESSON_STATUSES),
  admission: z.enum(LESSON_ADMISSIONS),
  mergedIntoId: z.string().nullable(),
  version: z.int().nullable(),
  text: z.string(),
});

// One that was screened when it was written is held at once, before the worker has seen to it.
const WRITTEN = `
  SELECT id, kind, status, merged_into_id AS "mergedIntoId", version, text,
    CASE WHEN withheld AND status = 'candidate' AND admission = 'waiting' THEN 'held' ELSE admission END AS admission
  FROM lessons WHERE run_id = $1 ORDER BY version, created_at, id`;

/** The lessons in the prompts of a run's versions, and those it wrote, as they stand now; empty where there is no such run. */
export async function findRunLessons(database: Database, runId: string): Promise<RunLessons> {
  const [recalled, { rows }] = await Promise.all([
    recalledTexts(database, runId),
    database.pool.query<Record<string, unknown>>(WRITTEN, [runId]),
  ]);
  return { recalled, written: z.array(written).parse(rows) };
}

/** How far a run has come: its status and the number of its last stored event (0 before the first). */
type RunProgress = { status: string; eventNumber: number };

/** Null where there is no such run. Small enough to be asked after every event. */
export async function findRunProgress(database: Database, runId: string): Promise<RunProgress | null> {
  const { rows } = await database.pool.query<{ status: string; event_number: number }>({
    name: 'find-run-progress',
    text: 'SELECT status, event_number FROM runs WHERE id = $1',
    values: [runId],
  });
  return rows[0] === undefined ? null : { status: rows[0].status, eventNumber: rows[0].event_number };
}

const resultRow = z.object({
  id: z.string(),
  number: z.int(),
  status: z.string(),
  success: z.boolean(),
  convergenceReason: z.string().nullable(),
  input: z.string(),
  reference: z.string().nullable(),
  /** The version that is its result: the accepted one, else the best; null where nobody accepted one and none was scored. */
  version: z.int().nullable(),
  versionCount: z.int(),
  /** Null where the text was not kept, or there is none. */
  output: z.string().nullable(),
  score: z.number().nullable(),
  satisfactory: z.boolean(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  reasons: z.record(z.string(), z.string()),
  criteria: criteriaColumn,
});
/** What a run came to: the version that is its result, and the evaluation that counts for it. */
export type RunResult = z.infer<typeof resultRow>;

const FIND = `
  SELECT r.id, r.number, r.status, r.success, r.convergence_reason AS "convergenceReason", r.input, r.reference, r.criteria, v.number AS version,
    r.version_count AS "versionCount", CASE WHEN v.output_dropped THEN NULL ELSE v.output END AS output,
    CASE WHEN e.status = 'scored' THEN e.overall_score END AS score, coalesce(e.satisfactory, false) AS satisfactory,
    coalesce(e.criteria_scores, '{}') AS "criteriaScores", coalesce(e.reasons, '{}') AS reasons
  FROM runs r
  LEFT JOIN reflection_versions v ON v.run_id = r.id
    AND v.number = CASE WHEN r.convergence_reason = 'user_accepted' THEN r.final_version ELSE r.best_version END
  LEFT JOIN LATERAL (
    SELECT * FROM evaluations e WHERE e.run_id = r.id AND e.version = v.number
    ORDER BY (e.by = 'person' AND e.status = 'scored') DESC, e.ordinal DESC LIMIT 1) e ON true
  WHERE r.id = $1`;

/** The result of a run; null where there is no such run. */
export async function findRunResult({ pool }: Pick<Database, 'pool'>, runId: string): Promise<RunResult | null> {
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'find-run-result', text: FIND, values: [runId] });
  return rows[0] === undefined ? null : resultRow.parse(rows[0]);
}

/** A run as pages and the API show it, with the history that its record was made from. */
export type FoundRun = {
  record: RunRecord;
  settings: ExperimentSettings;
  experimentName: string;
  history: History;
  /** How its prompts did on its cases; null where it tunes no prompt. */
  tuning: TuningSummary | null;
};

/** Reads a run; null when there is none. */
export async function findRun(database: Database, id: string): Promise<FoundRun | null> {
  const stored = await loadRun(database, id);
  if (stored === null) return null;
  const { run, history, settings, experimentName } = stored;
  const { input, reference, tags, metadata, criteria, branchedFromRunId: sourceId, branchedFromVersion: from } = run;
  const branchedFrom =
    from === null
      ? null
      : { runId: sourceId, number: sourceId === null ? null : await findRunNumber(database, sourceId), version: from };
  const record = toRunRecord(
    {
      id: run.id,
      number: run.number,
      experimentId: run.experimentId,
      experimentVersion: run.experimentVersion,
      batchId: run.batchId,
      branchedFrom,
      case: { input, reference, tags, metadata, ...(criteria && { criteria }) },
      status: run.status,
      ending:
        run.convergenceReason === null
          ? null
          : {
              reason: run.convergenceReason,
              alsoHeld: run.alsoHeld,
              success: run.success,
              finalVersion: run.finalVersion,
            },
      createdAt: run.createdAt,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      lastEvent: run.eventNumber,
    },
    history,
    settings,
  );
  const tuning = settings.mode === 'tune' ? tuningSummary(history, settings) : null;
  return { record, settings, experimentName, history, tuning };
}

/** How many runs wait for a person. */
export function countWaitingRuns(database: Database): Promise<number> {
  return database.prisma.run.count({ where: { status: 'waiting' } });
}

/** Whether there is this version (counted from 0) of a run. */
export async function hasRunVersion(connection: Queryable, runId: string, version: number): Promise<boolean> {
  const { rows } = await connection.query('SELECT 1 FROM reflection_versions WHERE run_id = $1 AND number = $2', [
    runId,
    version,
  ]);
  return rows.length > 0;
}

/** What was said beside the answers of a run's models, and what its calls may have cost beyond them. */
export type RunWarnings = {
  warnings: { text: string; calls: number }[];
  /** Null where no try without a response may have been billed. */
  maybeBilled: { calls: number; tries: number; tokens: number; costUsd: number } | null;
};

/** Different warnings that are told of a run. */
const MOST_WARNINGS = 20;

const warningRow = z.object({ text: z.string(), calls: z.int() });
const billedRow = z.object({ calls: z.int(), tries: z.int(), tokens: z.int(), costUsd: z.number() });

/** The warnings of a run's calls, the most frequent first and without that a reply was paid for before, and the sum of what may have been billed. */
export async function findRunWarnings({ pool }: Pick<Database, 'pool'>, runId: string): Promise<RunWarnings> {
  const [warnings, billed] = await Promise.all([
    pool.query<Record<string, unknown>>({
      name: 'run-warnings',
      text: `SELECT w AS text, count(*)::int AS calls FROM model_calls CROSS JOIN LATERAL unnest(warnings) AS w
        WHERE run_id = $1 AND cardinality(warnings) > 0 AND w <> $2 GROUP BY w ORDER BY calls DESC, w LIMIT ${MOST_WARNINGS}`,
      values: [runId, PAID_BEFORE],
    }),
    pool.query<Record<string, unknown>>({
      name: 'run-maybe-billed',
      text: `SELECT count(*)::int AS calls, coalesce(sum((maybe_billed->>'tries')::int), 0)::int AS tries,
          coalesce(sum((maybe_billed->>'input')::int + (maybe_billed->>'output')::int), 0)::int AS tokens,
          coalesce(sum((maybe_billed->>'costUsd')::float8), 0) AS "costUsd"
        FROM model_calls WHERE run_id = $1 AND maybe_billed IS NOT NULL`,
      values: [runId],
    }),
  ]);
  const sum = billedRow.parse(billed.rows[0]);
  return {
    warnings: warnings.rows.map((row) => warningRow.parse(row)),
    maybeBilled: sum.calls === 0 ? null : sum,
  };
}

const decisionRow = z.object({
  decision: z.enum(DECISION_KINDS),
  version: z.int().nullable(),
  by: z.enum(DECIDERS),
  actor: z.string().nullable(),
  at: z.date().transform((date) => date.toISOString()),
});
export type PauseDecision = z.infer<typeof decisionRow>;

/** What ended a pause; null while it is open, and where its run was ended without it. */
export async function findPauseDecision(
  { pool }: Pick<Database, 'pool'>,
  pauseId: string,
): Promise<PauseDecision | null> {
  const { rows } = await pool.query<Record<string, unknown>>(
    'SELECT decision, version, by, actor, at FROM decisions WHERE pause_id = $1 ORDER BY ordinal DESC LIMIT 1',
    [pauseId],
  );
  return rows[0] === undefined ? null : decisionRow.parse(rows[0]);
}

/** The runs that want performing: queued ones, those that a worker had begun, and those with re-scores or a look back to make; oldest first. */
export async function unfinishedRunIds(database: { pool: Queryable }): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM runs WHERE status IN ('queued', 'running')
       OR id IN (SELECT run_id FROM rescores WHERE status = 'waiting' UNION SELECT run_id FROM retrospectives WHERE status = 'waiting') ORDER BY number`,
  );
  return rows.map((row) => row.id);
}
