import type pg from 'pg';
import { z } from 'zod';
import { RESCORE_STATUSES, type Rescore } from '#lib/measures/rescore-report.ts';
import type { Spend } from '#lib/reflection/history.ts';
import { storableJson } from './clean-text.ts';
import type { Database } from './database.ts';
import { CALL_COLUMNS, CALL_RECORD, CALL_VALUES, type CallEntry } from './journal.ts';

/** How long a re-score is held without being renewed, in milliseconds: after a crash another worker may take it then. */
export const RESCORE_LEASE_MS = 15_000;

const ADD = `
  INSERT INTO rescores (run_id, number, version, requested_by, requested_at)
  SELECT $1, (SELECT coalesce(max(number), 0) FROM rescores WHERE run_id = $1) + n, $2, $3, $4 FROM generate_series(1, $5::int) AS n`;

/** Asks for `times` more judgements of a version. The run's row must be locked by the caller: numbers go on without a gap. */
export async function addRescores(
  client: pg.PoolClient,
  runId: string,
  given: { version: number; times: number; requestedBy: string; at: Date },
): Promise<void> {
  await client.query(ADD, [runId, given.version, given.requestedBy, given.at, given.times]);
}

const TAKE = `
  UPDATE rescores SET held_by = $2, held_until = now() + $3 * interval '1 millisecond'
  WHERE (run_id, number) = (
    SELECT run_id, number FROM rescores
    WHERE run_id = $1 AND status = 'waiting' AND (held_until IS NULL OR held_until < now() OR held_until > now() + 2 * $3 * interval '1 millisecond')
    ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING number, version`;

/** Takes the next waiting re-score of a run for `holder`; null when there is none that is not held. */
export async function takeRescore(
  database: Database,
  runId: string,
  holder: string,
): Promise<{ number: number; version: number } | null> {
  const { rows } = await database.pool.query<{ number: number; version: number }>(TAKE, [
    runId,
    holder,
    RESCORE_LEASE_MS,
  ]);
  return rows[0] ?? null;
}

/** Which of these runs have re-scores that wait and that nobody holds. */
export async function runsWithWaitingRescores(database: Database, runIds: string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ run_id: string }>({
    name: 'runs-with-waiting-rescores',
    text: `SELECT DISTINCT run_id FROM rescores
      WHERE run_id = ANY ($1::uuid[]) AND status = 'waiting' AND (held_until IS NULL OR held_until < now())`,
    values: [runIds],
  });
  return rows.map(({ run_id }) => run_id);
}

/** Whether any re-score of a run waits, held or not. */
export async function hasWaitingRescores(database: Database, runId: string): Promise<boolean> {
  const { rows } = await database.pool.query({
    name: 'waiting-rescores',
    text: "SELECT 1 FROM rescores WHERE run_id = $1 AND status = 'waiting' LIMIT 1",
    values: [runId],
  });
  return rows.length > 0;
}

/** Holds what a holder has for another lease. */
export async function renewRescores(database: Database, holder: string): Promise<void> {
  await database.pool.query(
    `UPDATE rescores SET held_until = now() + $2 * interval '1 millisecond' WHERE held_by = $1 AND status = 'waiting'`,
    [holder, RESCORE_LEASE_MS],
  );
}

/** Lets go of what a holder has, unfinished. */
export async function releaseRescores(database: Database, holder: string): Promise<void> {
  await database.pool.query(
    `UPDATE rescores SET held_by = NULL, held_until = NULL WHERE held_by = $1 AND status = 'waiting'`,
    [holder],
  );
}

/** Lets go of what dead processes held. Only for the one process on its database. */
export async function releaseAllRescores(database: Database): Promise<void> {
  await database.pool.query("UPDATE rescores SET held_by = NULL, held_until = NULL WHERE status = 'waiting'");
}

/** What became of a re-score. */
export type SettledRescore = Spend &
  Pick<Rescore, 'overallScore' | 'criteriaScores' | 'message'> & { status: 'scored' | 'partial' | 'failed' };

/** Keeps what became of a re-score that `holder` has. One that failed takes the waiting ones of its version with it: they are skipped. */
export async function settleRescore(
  database: Database,
  place: { runId: string; number: number; version: number; holder: string },
  settled: SettledRescore,
  now: Date,
): Promise<void> {
  const { status, overallScore, criteriaScores, message, tokenUsage, costUsd, durationMs } = settled;
  await database.pool.query(
    `WITH settled AS (
       UPDATE rescores SET status = $4, overall_score = $5, criteria_scores = $6, message = $7, input_tokens = $8, output_tokens = $9,
         cost_usd = $10, duration_ms = $11, settled_at = $12
       WHERE run_id = $1 AND number = $2 AND held_by = $3 AND status = 'waiting' RETURNING run_id)
     UPDATE rescores r SET status = 'skipped', settled_at = $12 FROM settled s
     WHERE r.run_id = s.run_id AND r.version = $13 AND r.status = 'waiting' AND r.number <> $2 AND $4 = 'failed'`,
    [
      place.runId,
      place.number,
      place.holder,
      status,
      overallScore,
      storableJson(criteriaScores),
      message,
      tokenUsage.input,
      tokenUsage.output,
      costUsd,
      Math.round(durationMs),
      now,
      place.version,
    ],
  );
}

const RECORD = `
  INSERT INTO model_calls (${CALL_COLUMNS})
  SELECT r.id, ${CALL_VALUES} FROM runs r, json_to_recordset($2::json) AS c(${CALL_RECORD}) WHERE r.id = $1`;

/** Keeps the calls of re-scores. They stay out of their run's sums: its budgets are not touched by them. */
export async function recordRescoreCalls(database: Database, runId: string, calls: CallEntry[]): Promise<void> {
  if (calls.length > 0) await database.pool.query(RECORD, [runId, storableJson(calls)]);
}

const rescoreRows = z.array(
  z.object({
    version: z.int(),
    status: z.enum(RESCORE_STATUSES),
    overall_score: z.number().nullable(),
    criteria_scores: z.record(z.string(), z.number().nullable()),
    message: z.string().nullable(),
    tokens: z.int(),
    cost_usd: z.number().nullable(),
  }),
);

/** All re-scores of a run in the order of asking. */
export async function listRescores(database: Database, runId: string): Promise<Rescore[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT version, status, overall_score, criteria_scores, message, input_tokens + output_tokens AS tokens, cost_usd
     FROM rescores WHERE run_id = $1 ORDER BY number`,
    [runId],
  );
  return rescoreRows.parse(rows).map(({ overall_score, criteria_scores, cost_usd, ...rest }) => ({
    ...rest,
    overallScore: overall_score,
    criteriaScores: criteria_scores,
    costUsd: cost_usd,
  }));
}
