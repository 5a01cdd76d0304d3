import { z } from 'zod';
import type { BatchReport } from '#lib/measures/batch-report.ts';
import { reportBatch } from '#lib/measures/report-batch.ts';
import { RUN_STATUSES, type RunStatus } from '#lib/reflection/run-record.ts';
import type { Database } from './database.ts';

export type BatchView = {
  id: string;
  experimentId: string;
  experimentVersion: number;
  status: 'running' | 'waiting' | 'finished';
  total: number;
  counts: Record<RunStatus, number>;
  createdAt: string;
  report: BatchReport;
};

const outcomeRow = z.object({
  status: z.enum(RUN_STATUSES),
  stopReason: z.string().nullable(),
  bestScore: z.number().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  satisfactory: z.array(z.boolean()).nullable(),
  scores: z.array(z.number().nullable()).nullable(),
});

const OUTCOMES = `
  SELECT r.status, r.convergence_reason AS "stopReason", r.best_score AS "bestScore", r.input_tokens AS "inputTokens", r.output_tokens AS "outputTokens",
    r.cost_usd AS "costUsd", r.unpriced, s.satisfactory, s.scores
  FROM runs r
  LEFT JOIN LATERAL (
    SELECT array_agg(e.satisfactory ORDER BY e.version) AS satisfactory, array_agg(e.score ORDER BY e.version) AS scores
    FROM (SELECT DISTINCT ON (e.version) e.version, e.satisfactory, CASE WHEN e.status = 'scored' THEN e.overall_score END AS score
          FROM evaluations e WHERE e.run_id = r.id ORDER BY e.version, (e.by = 'person') DESC, e.ordinal DESC) e) s ON true
  WHERE r.batch_id = $1 ORDER BY r.position`;

/** A batch with its report; null when there is none. */
export async function findBatch(database: Database, id: string): Promise<BatchView | null> {
  const batch = await database.prisma.batch.findUnique({ where: { id } });
  if (batch === null) return null;
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'batch-outcomes',
    text: OUTCOMES,
    values: [id],
  });
  const runs = rows.map((row) => outcomeRow.parse(row));
  const counts = { queued: 0, running: 0, waiting: 0, finished: 0, failed: 0, stopped: 0 };
  for (const run of runs) counts[run.status]++;
  const { experimentId, experimentVersion, total, createdAt } = batch;
  return {
    id,
    experimentId,
    experimentVersion,
    status: counts.queued + counts.running > 0 ? 'running' : counts.waiting > 0 ? 'waiting' : 'finished',
    total,
    counts,
    createdAt: createdAt.toISOString(),
    report: reportBatch(
      runs.map((run) => ({
        ...run,
        ended: run.status === 'finished' || run.status === 'failed' || run.status === 'stopped',
        satisfactory: run.satisfactory ?? [],
        scores: run.scores ?? [],
      })),
    ),
  };
}
