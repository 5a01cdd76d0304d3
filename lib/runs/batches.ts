import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';
import { MODEL_ROLES } from '#lib/core/model-roles.ts';
import { isEndedStatus, RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, storableJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { BatchReport } from '#lib/statistics/batch-report.ts';
import { reportBatch } from '#lib/statistics/report-batch.ts';
import { type TimeLeft, timeLeft } from '#lib/statistics/time-left.ts';
import { type BatchHold, batchHoldSchema } from './hold-batch.ts';

export type BatchView = {
  id: string;
  experimentId: string;
  experimentVersion: number;
  status: 'running' | 'waiting' | 'held' | 'finished';
  /** Why the runs that have not begun wait for somebody to resume it; null where they do not. */
  held: BatchHold | null;
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

/** One JSON list for the whole batch, from the run rows alone: read in one piece it costs far less than thousands of rows. */
const OUTCOMES = `
  SELECT coalesce(json_agg(json_build_object('position', r.position, 'status', r.status, 'success', r.success, 'stopReason', r.convergence_reason, 'firstScore', r.first_score, 'bestScore', r.best_score,
    'inputTokens', r.input_tokens, 'outputTokens', r.output_tokens, 'costUsd', r.cost_usd, 'unpriced', r.unpriced, 'satisfied', r.satisfied)), '[]') AS runs
  FROM runs r WHERE r.batch_id = $1`;

/** What the runs of a batch came to. */
export async function listOutcomes(
  { prisma }: Pick<Database, 'prisma'>,
  batchId: string,
): Promise<z.infer<typeof outcomeRow>[]> {
  const [row] = await prisma.$queryRawUnsafe<{ runs: unknown }[]>(OUTCOMES, batchId);
  return z.array(outcomeRow).parse(row?.runs);
}

/** A batch with its report; null when there is none. */
export async function findBatch(database: Database, id: string): Promise<BatchView | null> {
  const batch = await database.prisma.batch.findUnique({ where: { id } });
  if (batch === null) return null;
  const runs = await listOutcomes(database, id);
  const counts = { queued: 0, running: 0, waiting: 0, finished: 0, failed: 0, stopped: 0 };
  for (const run of runs) counts[run.status]++;
  const held = counts.queued === 0 || batch.held === null ? null : batchHoldSchema.parse(batch.held);
  const { experimentId, experimentVersion, total, repetitions, datasetId, datasetVersion, createdAt } = batch;
  return {
    id,
    experimentId,
    experimentVersion,
    status: counts.running + (held === null ? counts.queued : 0) > 0 ? 'running' : restingStatus(counts, held),
    held,
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
        ended: isEndedStatus(run.status),
        satisfactory: Array.from(run.satisfied, (mark) => mark === '1'),
      })),
    ),
  };
}

function restingStatus({ waiting }: BatchView['counts'], held: BatchHold | null): BatchView['status'] {
  if (waiting > 0) return 'waiting';
  return held === null ? 'finished' : 'held';
}

const alikeRow = z.object({
  cause: z.enum(MODEL_FAILURE_KINDS).nullable().catch(null),
  role: z.enum(MODEL_ROLES).nullable().catch(null),
  reason: z.string().nullable(),
  runs: z.int(),
  message: z.string().nullable(),
  runId: z.string(),
});

/** The most of the failed runs of a batch that failed alike: how many, with what was said of one of them; null where none failed. */
export async function mostFailedAlike(
  { prisma }: Pick<Database, 'prisma'>,
  batchId: string,
): Promise<z.infer<typeof alikeRow> | null> {
  const [row] = await prisma.$queryRaw<unknown[]>`
    SELECT failure->>'cause' AS cause, failure->>'role' AS role, convergence_reason AS reason, count(*)::int AS runs,
      max(failure->>'message') AS message, min(id::text) AS "runId"
    FROM runs WHERE batch_id = ${batchId}::uuid AND status = 'failed'
    GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 1`;
  return row === undefined ? null : alikeRow.parse(row);
}

/**
 * Whether batch `b` holds but a run that was branched from another, and was not started as a batch. Counted, since PostgreSQL may answer
 * EXISTS by reading all runs first.
 */
export const IS_BRANCH = `(b.total = 1 AND (
  SELECT count(r.branched_from_version) FROM runs r WHERE r.batch_id = b.id) > 0)`;

const batchRow = z.object({
  id: z.string(),
  /** Runs. */
  total: z.int(),
  /** Runs of each case. */
  repetitions: z.int(),
  createdAt: z.date().transform((value) => value.toISOString()),
  experimentVersion: z.int(),
  /** It holds but the one run that was branched from another. */
  isBranch: z.boolean(),
  source: z.enum(['started', 'imported']),
  /** What its cases were taken from; null where they were sent with it, or that was deleted. */
  dataset: z.object({ id: z.string(), name: z.string(), version: z.int().nullable() }).nullable(),
});
export type BatchOfExperiment = z.infer<typeof batchRow>;

const BATCH = `SELECT b.id, b.total, b.repetitions, b.created_at AS "createdAt", b.experiment_version AS "experimentVersion", ${IS_BRANCH} AS "isBranch",
    b.source, CASE WHEN d.id IS NOT NULL THEN jsonb_build_object('id', d.id, 'name', d.name, 'version', b.dataset_version) END AS dataset
  FROM batches b LEFT JOIN datasets d ON d.id = b.dataset_id WHERE b.experiment_id = $1`;
const BATCHES = `
  (${BATCH} ORDER BY b.created_at DESC LIMIT 20)
  UNION
  (${BATCH} AND NOT ${IS_BRANCH} ORDER BY b.created_at DESC LIMIT 1)
  ORDER BY "createdAt" DESC`;

/** The newest 20 batches of an experiment, and the newest that was started as one, newest first. */
export async function listBatches(database: Database, experimentId: string): Promise<BatchOfExperiment[]> {
  return z.array(batchRow).parse(await database.prisma.$queryRawUnsafe(BATCHES, experimentId));
}

type NewBatch = {
  id: string;
  experimentId: string;
  experimentVersion: number;
  datasetId: string | null;
  datasetVersion?: number | null;
  idempotencyKey: string | null;
  requestHash: string;
  cases: readonly Case[];
  /** Runs of each case: 1 where left out. */
  repetitions?: number;
  /** The ids of all runs: those of the first case, then those of the second, and so on. */
  runIds: readonly string[];
  now: Date;
};

/** Stores a batch with its queued runs; false when its idempotency key is taken. */
export async function insertBatch(transaction: Transaction, batch: NewBatch): Promise<boolean> {
  const { cases, repetitions = 1, runIds, now, ...stored } = batch;
  if (runIds.length !== cases.length * repetitions)
    throw new Error(`a batch of ${cases.length} cases, ${repetitions} times each, with ${runIds.length} runs`);
  const row = { ...stored, repetitions, total: runIds.length, createdAt: now };
  const { count } = await transaction.batch.createMany({ data: row, skipDuplicates: true });
  if (count === 0) return false;
  // Each case is sent once, however often it is run.
  await transaction.$executeRawUnsafe(
    `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, repetition, input, messages, reference, tags, metadata, criteria, also_held, created_at)
     SELECT i.id, $2, $3, $1, i.place - 1, (i.place - 1) % $7::int, c.entry->>'input', nullif((c.entry->'messages')::jsonb, 'null'), c.entry->>'reference',
       ARRAY(SELECT json_array_elements_text(c.entry->'tags')), (c.entry->'metadata')::jsonb, nullif((c.entry->'criteria')::jsonb, 'null'), '{}', $4
     FROM unnest($6::uuid[]) WITH ORDINALITY AS i(id, place)
     JOIN json_array_elements($5::json) WITH ORDINALITY AS c(entry, place) ON c.place = (i.place - 1) / $7::int + 1
     ORDER BY i.place`,
    ...[batch.id, batch.experimentId, batch.experimentVersion, now, JSON.stringify(cases), runIds, repetitions],
  );
  return true;
}

/** The batch that was made under an idempotency key; null when the key is new. */
export async function findBatchByKey(
  database: Database,
  idempotencyKey: string,
): Promise<{ batchId: string; requestHash: string | null; runIds: string[] } | null> {
  const batch = await database.prisma.batch.findUnique({
    where: { idempotencyKey },
    include: { runs: { select: { id: true }, orderBy: { position: 'asc' } } },
  });
  return batch === null
    ? null
    : { batchId: batch.id, requestHash: batch.requestHash, runIds: batch.runs.map((run) => run.id) };
}

/** Stores the cases of a tuning run as they are now: what becomes of their dataset does not touch the run. */
export async function insertRunCases(
  transaction: Transaction,
  runId: string,
  cases: readonly TuningCase[],
): Promise<void> {
  const rows: Prisma.RunCaseCreateManyInput[] = cases.map(
    ({ metadata, messages, criteria, weight: _weight, ...task }) => ({
      ...cleanJson({ runId, ...task }),
      metadata: JSON.parse(storableJson(metadata)),
      ...(messages && { messages: cleanJson(messages) }),
      ...(criteria && { criteria: cleanJson(criteria) }),
    }),
  );
  await transaction.runCase.createMany({ data: rows });
}

/** The ids of a batch's runs that are in one of these states, in the batch's order. */
export async function runsOfBatch(
  database: Database,
  batchId: string,
  statuses: readonly RunStatus[],
): Promise<string[]> {
  const runs = await database.prisma.run.findMany({
    where: { batchId, status: { in: [...statuses] } },
    select: { id: true },
    orderBy: { position: 'asc' },
  });
  return runs.map(({ id }) => id);
}

/** The pace is that of the newest runs: early ones may have been of easier cases, or had the machine for themselves. */
const NEWEST = 50;

/** How long the `remaining` runs of a batch may still take; null where too few have ended to tell. */
export async function findTimeLeft(
  database: Database,
  batchId: string,
  remaining: number,
  now: Date,
): Promise<TimeLeft | null> {
  if (remaining === 0) return null;
  const batch = await database.prisma.batch.findUnique({ where: { id: batchId } });
  if (batch === null) return null;
  // Nothing was under way between a stop and the resumption.
  const since = batch.resumedAt ?? batch.createdAt;
  const ends = await database.prisma.run.findMany({
    where: { batchId, finishedAt: { gte: since } },
    select: { finishedAt: true },
    orderBy: { finishedAt: 'desc' },
    take: NEWEST + 1,
  });
  const first = ends.at(-1)?.finishedAt ?? null;
  if (first === null) return null;
  // Of more ends than count, the one before them is where their span begins.
  const isCut = ends.length > NEWEST;
  const from = isCut ? first : since;
  return timeLeft({ ended: isCut ? NEWEST : ends.length, spanMs: now.getTime() - from.getTime(), remaining });
}

/** Whether an experiment was started once. */
export async function isFirstBatch({ prisma }: Pick<Database, 'prisma'>, experimentId: string): Promise<boolean> {
  return (await prisma.batch.count({ where: { experimentId }, take: 2 })) === 1;
}

/** The dataset that a batch ran on; null for other cases, and once the dataset is deleted. */
export async function findDatasetOfBatch({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<string | null> {
  const batch = await prisma.batch.findUnique({ where: { id }, select: { datasetId: true } });
  if (!batch?.datasetId) return null;
  const dataset = await prisma.dataset.findUnique({ where: { id: batch.datasetId }, select: { id: true } });
  return dataset?.id ?? null;
}
