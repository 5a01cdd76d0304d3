import type pg from 'pg';
import { z } from 'zod';
import type { History } from '#lib/core/history.ts';
import { overallOf } from '#lib/core/score-evaluation.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { RESCORE_STATUSES, type Rescore, type RescoreReport, reportRescores } from '#lib/statistics/rescore-report.ts';
import { withoutPeople } from './schema.ts';

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

/** The version that a re-score judges. */
export async function findRescoredVersion(database: Database, runId: string, number: number): Promise<number | null> {
  const { rows } = await database.pool.query<{ version: number }>(
    'SELECT version FROM rescores WHERE run_id = $1 AND number = $2',
    [runId, number],
  );
  return rows[0]?.version ?? null;
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

/**
 * How the re-scores of a run's versions spread, one report for each version that has any, in the order of the
 * versions. What only people score is left out of both sides.
 */
export async function findRescores(
  database: Database,
  { run, history, settings }: { run: { id: string }; history: History; settings: ExperimentSettings },
): Promise<RescoreReport[]> {
  const judged = withoutPeople(settings);
  const rescores = await listRescores(database, run.id);
  const versions = [...new Set(rescores.map(({ version }) => version))].sort((one, other) => one - other);
  return versions.map((version) => {
    const own = history.evaluations.filter((one) => one.version === version && one.by === 'machine');
    const first = own.find(({ status }) => status === 'scored') ?? own.at(-1) ?? null;
    return reportRescores(
      version,
      rescores.filter((rescore) => rescore.version === version),
      first && { ...first, overallScore: overallOf(judged, first.criteriaScores) },
      judged.criteria.map(({ name }) => name),
    );
  });
}
