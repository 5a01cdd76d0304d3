import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { MODEL_FAILURE_KINDS } from '#lib/core/model-request.ts';
import { MODEL_ROLES, modelFor } from '#lib/core/model-roles.ts';
import type { FailureCause } from '#lib/core/run-record.ts';
import { isEndedStatus, RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, storableJson, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { count, id, time } from '#lib/http/fields.ts';
import { batchReportSchema, reportBatch } from '#lib/statistics/batch-report.ts';
import { type TimeLeft, timeLeft } from '#lib/statistics/time-left.ts';
import { type BatchHold, batchHoldSchema } from './hold-batch.ts';
import { findRun, IS_RATE_LIMITED } from './queries.ts';

export const batchViewSchema = z.object({
  id,
  experimentId: id,
  experimentVersion: count,
  status: z.enum(['running', 'waiting', 'held', 'finished']),
  held: batchHoldSchema.nullable().meta({
    description: 'Why runs that have not started wait until someone resumes the batch. Null if they do not wait.',
  }),
  total: count.meta({ description: 'Runs.' }),
  repetitions: count.meta({ description: 'Runs of each case.' }),
  datasetId: id.nullable(),
  datasetVersion: count.nullable(),
  counts: z.record(z.enum(RUN_STATUSES), count),
  succeeded: count.meta({
    description: 'Number of runs that met their quality threshold or that a person accepted.',
  }),
  createdAt: time,
  report: batchReportSchema,
});
export type BatchView = z.infer<typeof batchViewSchema>;

/** The outcome of a run, from its row. */
export const outcomeRow = z.object({
  caseKey: z.string(),
  isBranch: z.boolean(),
  success: z.boolean(),
  status: z.enum(RUN_STATUSES),
  isLimited: z.boolean(),
  stopReason: z.string().nullable(),
  bestScore: z.number().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number(),
  unpriced: z.boolean(),
  satisfied: z.string(),
  firstScore: z.number().nullable(),
});

/** One JSON list for the whole batch, from the run rows only. Reading it at once costs far less than thousands of rows. */
const OUTCOMES = `
  SELECT coalesce(json_agg(json_build_object('caseKey', r.case_key || coalesce(md5(r.criteria::text), ''), 'isBranch', r.branched_from_version IS NOT NULL, 'status', r.status, 'isLimited', ${IS_RATE_LIMITED}, 'success', r.success, 'stopReason', r.convergence_reason, 'firstScore', r.first_score, 'bestScore', r.best_score,
    'inputTokens', r.input_tokens, 'outputTokens', r.output_tokens, 'costUsd', r.cost_usd, 'unpriced', r.unpriced, 'satisfied', r.satisfied)), '[]') AS runs
  FROM runs r WHERE r.batch_id = $1`;

/** Returns the outcomes of a batch's runs. */
export async function listOutcomes({ prisma }: DatabaseClient, batchId: string): Promise<z.infer<typeof outcomeRow>[]> {
  const [row] = await prisma.$queryRawUnsafe<{ runs: unknown }[]>(OUTCOMES, batchId);
  return z.array(outcomeRow).parse(row?.runs);
}

/** Returns a batch with its report, or null. */
export async function findBatch(database: Database, id: string): Promise<BatchView | null> {
  const batch = await database.prisma.batch.findUnique({ where: { id } });
  if (batch === null) return null;
  const runs = await listOutcomes(database, id);
  const counts = { queued: 0, running: 0, waiting: 0, finished: 0, failed: 0, stopped: 0 };
  for (const run of runs) counts[run.status]++;
  // An import stores branches together with their originals.
  const originals = runs.filter(({ isBranch }) => !isBranch);
  const heldBack = counts.queued + runs.filter(({ isLimited }) => isLimited).length;
  const hold = heldBack === 0 || batch.held === null ? null : batchHoldSchema.parse(batch.held);
  const { experimentId, experimentVersion, total, repetitions, datasetId, datasetVersion, createdAt } = batch;
  return {
    id,
    experimentId,
    experimentVersion,
    status: counts.running + counts.queued > (hold === null ? 0 : heldBack) ? 'running' : restingStatus(counts, hold),
    held: hold,
    total,
    repetitions,
    datasetId,
    datasetVersion,
    counts,
    succeeded: runs.filter(({ success }) => success).length,
    createdAt: createdAt.toISOString(),
    report: reportBatch(
      (originals.length > 0 ? originals : runs).map((run) => ({
        ...run,
        ended: isEndedStatus(run.status),
        satisfactory: Array.from(run.satisfied, (mark) => mark === '1'),
      })),
    ),
  };
}

function restingStatus({ waiting }: BatchView['counts'], hold: BatchHold | null): BatchView['status'] {
  if (waiting > 0) return 'waiting';
  return hold === null ? 'finished' : 'held';
}

const alikeRow = z.object({
  cause: z.enum(MODEL_FAILURE_KINDS).nullable().catch(null),
  role: z.enum(MODEL_ROLES).nullable().catch(null),
  reason: z.string().nullable(),
  runs: z.int(),
  message: z.string().nullable(),
  runId: z.string(),
});

/** Returns the most common failure of a batch: the number of runs and the message of one of them. Null if none failed. */
async function findMostCommonFailure(
  { prisma }: DatabaseClient,
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
 * True if batch `b` contains only a branched run that was not started as a batch. Uses count because PostgreSQL may evaluate EXISTS by
 * reading all runs first.
 */
export const IS_BRANCH = `(b.total = 1 AND (
  SELECT count(r.branched_from_version) FROM runs r WHERE r.batch_id = b.id) > 0)`;

/** A batch in the list of its experiment. */
export const batchOfExperimentSchema = z.object({
  id,
  total: count,
  /** Runs per case. */
  repetitions: count,
  createdAt: time,
  experimentVersion: count,
  /** True if it contains only one run, which was branched from another. */
  isBranch: z.boolean(),
  source: z.enum(['started', 'imported']),
  /** Dataset of its cases. Null if the cases were sent with it or the dataset was deleted. */
  dataset: z.object({ id, name: z.string(), version: count.nullable() }).nullable(),
});
export type BatchOfExperiment = z.infer<typeof batchOfExperimentSchema>;

const BATCH = `SELECT b.id, b.total, b.repetitions, b.created_at AS "createdAt", b.experiment_version AS "experimentVersion", ${IS_BRANCH} AS "isBranch",
    b.source, CASE WHEN d.id IS NOT NULL THEN jsonb_build_object('id', d.id, 'name', d.name, 'version', b.dataset_version) END AS dataset
  FROM batches b LEFT JOIN datasets d ON d.id = b.dataset_id WHERE b.experiment_id = $1`;
const BATCHES = `
  (${BATCH} ORDER BY b.created_at DESC LIMIT 20)
  UNION
  (${BATCH} AND NOT ${IS_BRANCH} ORDER BY b.created_at DESC LIMIT 1)
  ORDER BY "createdAt" DESC`;

/** Returns the newest 20 batches of an experiment and the newest one started as a batch, newest first. */
export async function listBatches(database: Database, experimentId: string): Promise<BatchOfExperiment[]> {
  const rows = await database.prisma.$queryRawUnsafe<object[]>(BATCHES, experimentId);
  return z.array(batchOfExperimentSchema).parse(rows.map(withIsoTimes));
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
  /** Runs per case. Defaults to 1. */
  repetitions?: number;
  /** Ids of all runs: those of the first case, then those of the second, and so on. */
  runIds: readonly string[];
  now: Date;
};

/** Returns new IDs in ascending order, so that indexes store runs that are performed one after the other next to each other. */
export function newRunIds({ newId }: Pick<AppContext, 'newId'>, count: number): string[] {
  return Array.from({ length: count }, () => newId()).sort();
}

/** Inserts a batch with its queued runs. Returns false if its idempotency key is taken. */
export async function insertBatch(transaction: Transaction, batch: NewBatch): Promise<boolean> {
  const { cases, repetitions = 1, runIds, now, ...stored } = batch;
  if (runIds.length !== cases.length * repetitions)
    throw new Error(`a batch of ${cases.length} cases, ${repetitions} times each, with ${runIds.length} runs`);
  const row = { ...stored, repetitions, total: runIds.length, createdAt: now };
  const { count } = await transaction.batch.createMany({ data: row, skipDuplicates: true });
  if (count === 0) return false;
  // Each case is sent only once, even if it runs repeatedly.
  await transaction.$executeRawUnsafe(
    `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, repetition, input, messages, reference, tags, metadata, criteria, created_at)
     SELECT i.id, $2, $3, $1, i.place - 1, (i.place - 1) % $7::int, c.entry->>'input', nullif((c.entry->'messages')::jsonb, 'null'), c.entry->>'reference',
       nullif(ARRAY(SELECT json_array_elements_text(c.entry->'tags')), '{}'), (c.entry->'metadata')::jsonb, nullif((c.entry->'criteria')::jsonb, 'null'), $4
     FROM unnest($6::uuid[]) WITH ORDINALITY AS i(id, place)
     JOIN json_array_elements($5::json) WITH ORDINALITY AS c(entry, place) ON c.place = (i.place - 1) / $7::int + 1
     ORDER BY i.place`,
    ...[batch.id, batch.experimentId, batch.experimentVersion, now, JSON.stringify(cases), runIds, repetitions],
  );
  return true;
}

/** Returns the batch with an idempotency key, or null if the key is new. */
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

/** Copies the cases of a tuning run, so that later changes of their dataset do not affect the run. */
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

/** Returns the ids of a batch's runs in one of these states, in batch order. */
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

/** Number of newest runs that determine the pace. Early runs may have had easier cases or less load. */
const NEWEST = 50;

/** Estimates the time for the `remaining` runs of a batch. Null if too few have ended. */
export async function findTimeLeft(
  database: Database,
  batchId: string,
  remaining: number,
  now: Date,
): Promise<TimeLeft | null> {
  if (remaining === 0) return null;
  const batch = await database.prisma.batch.findUnique({ where: { id: batchId } });
  if (batch === null) return null;
  // Nothing ran between a stop and the resume.
  const since = batch.resumedAt ?? batch.createdAt;
  const ends = await database.prisma.run.findMany({
    where: { batchId, finishedAt: { gte: since } },
    select: { finishedAt: true },
    orderBy: { finishedAt: 'desc' },
    take: NEWEST + 1,
  });
  const first = ends.at(-1)?.finishedAt ?? null;
  if (first === null) return null;
  // If there are more than `NEWEST` ends, the span begins at the one before them.
  const isCut = ends.length > NEWEST;
  const from = isCut ? first : since;
  return timeLeft({ ended: isCut ? NEWEST : ends.length, spanMs: now.getTime() - from.getTime(), remaining });
}

/** Returns true if an experiment has exactly one batch. */
export async function isFirstBatch({ prisma }: DatabaseClient, experimentId: string): Promise<boolean> {
  return (await prisma.batch.count({ where: { experimentId }, take: 2 })) === 1;
}

/** Returns the dataset of a batch. Null if its cases came from elsewhere or the dataset was deleted. */
export async function findDatasetOfBatch({ prisma }: DatabaseClient, id: string): Promise<string | null> {
  const batch = await prisma.batch.findUnique({ where: { id }, select: { datasetId: true } });
  if (!batch?.datasetId) return null;
  const dataset = await prisma.dataset.findUnique({ where: { id: batch.datasetId }, select: { id: true } });
  return dataset?.id ?? null;
}

/** Common cause of failed runs in a batch. */
export type BatchFailure = {
  cause: FailureCause;
  runs: number;
  /** Error message of one of the runs. */
  message: string;
  provider: string | null;
  model: string | null;
};

/** Returns the most common failure of a batch's runs, with the settings they ran with. Null if none failed. */
export async function findBatchFailure(
  database: Database,
  batchId: string,
  settings: ExperimentSettings,
): Promise<BatchFailure | null> {
  const alike = await findMostCommonFailure(database, batchId);
  if (alike === null) return null;
  const { cause, role, reason, runs, message, runId } = alike;
  const failedModel = role === null ? { provider: null, model: null } : modelFor(settings, role);
  if (cause !== null) return { cause, runs, message: message ?? '', ...failedModel };
  if (reason !== 'evaluation_failed') return { cause: 'internal_error', runs, message: message ?? '', ...failedModel };
  // The row does not contain the reason why nothing was scored.
  const failure = (await findRun(database, runId))?.record.failure;
  return { ...failedModel, cause: failure?.cause ?? 'unscored', runs, message: failure?.message ?? '' };
}
