import { z } from 'zod';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-record.ts';
import type { Database } from '#lib/database/database.ts';
import type { BatchReport } from '#lib/statistics/batch-report.ts';
import { reportBatch } from '#lib/statistics/report-batch.ts';

export type BatchView = {
  id: string;
  experimentId: string;
  experimentVersion: number;
  status: 'running' | 'waiting' | 'finished';
  /** Runs. */
  total: number;
  /** Runs of each case. */
  repetitions: number;
  /** What its cases were taken from, and in which version. */
  datasetId: string | null;
  datasetVersion: number | null;
  counts: Record<RunStatus, number>;
  /** Runs whose quality was met, or that a person accepted. */
  succeeded: number;
  createdAt: string;
  report: BatchReport;
};

const outcomeRow = z.object({
  position: z.int(),
  success: z.boolean(),
  status: z.enum(RUN_STATUSES),
  stopReason: z.string().nullable(),
  bestScore: z.number().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  satisfied: z.string(),
  firstScore: z.number().nullable(),
});

const outcomeRows = z.array(outcomeRow);

/** One JSON list for the whole batch, from the run rows alone: read in one piece it costs far less than thousands of rows. */
const OUTCOMES = `
  SELECT coalesce(json_agg(json_build_object('position', r.position, 'status', r.status, 'success', r.success, 'stopReason', r.convergence_reason, 'firstScore', r.first_score, 'bestScore', r.best_score,
    'inputTokens', r.input_tokens, 'outputTokens', r.output_tokens, 'costUsd', r.cost_usd, 'unpriced', r.unpriced, 'satisfied', r.satisfied)), '[]') AS runs
  FROM runs r WHERE r.batch_id = $1`;

/** A batch with its report; null when there is none. */
export async function findBatch(database: Database, id: string): Promise<BatchView | null> {
  const batch = await database.prisma.batch.findUnique({ where: { id } });
  if (batch === null) return null;
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'batch-outcomes',
    text: OUTCOMES,
    values: [id],
  });
  const runs = outcomeRows.parse(rows[0]?.runs);
  const counts = { queued: 0, running: 0, waiting: 0, finished: 0, failed: 0, stopped: 0 };
  for (const run of runs) counts[run.status]++;
  const { experimentId, experimentVersion, total, repetitions, datasetId, datasetVersion, createdAt } = batch;
  return {
    id,
    experimentId,
    experimentVersion,
    status: counts.queued + counts.running > 0 ? 'running' : counts.waiting > 0 ? 'waiting' : 'finished',
    total,
    repetitions,
    datasetId,
    datasetVersion,
    counts,
    succeeded: runs.filter(({ success }) => success).length,
    createdAt: createdAt.toISOString(),
    report: reportBatch(
      runs.map((run) => ({
        ...run,
        place: Math.floor(run.position / repetitions),
        ended: run.status === 'finished' || run.status === 'failed' || run.status === 'stopped',
        satisfactory: Array.from(run.satisfied, (mark) => mark === '1'),
      })),
    ),
  };
}
