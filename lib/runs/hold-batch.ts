import { z } from 'zod';
import type { Failure } from '#lib/core/history.ts';
import { MODEL_FAILURE_KINDS, type ModelFailureKind } from '#lib/core/model-request.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { RATE_LIMITED } from './rate-limits.ts';

/** The reason the unstarted runs of a batch wait until somebody resumes it. */
export const batchHoldSchema = z.object({
  cause: z.enum(MODEL_FAILURE_KINDS),
  message: z.string(),
  remedy: z.string(),
  provider: z.string(),
  model: z.string(),
  at: z.iso.datetime(),
});
export type BatchHold = z.infer<typeof batchHoldSchema>;

/** Failures that every other run of a batch will repeat until a person changes something. */
const CERTAIN: readonly ModelFailureKind[] = ['unknown_provider', 'no_key', 'unauthorized'];
/** Failures that can also be caused by a single case: a case that is not allowed, or a model of only one worker. */
const LIKELY: readonly ModelFailureKind[] = ['forbidden', 'not_found'];

/** Minimum number of failed runs that holds a batch after a `LIKELY` failure, if another run of the batch made a version. */
const MIN_LIKELY_FAILURES = 3;

/**
 * Holds the unstarted runs of a batch, and those that wait for a rate limit, after a run failed for a cause that a retry cannot fix, since
 * all would fail alike. Keeps the first failure. Does nothing if no such run is left.
 */
export async function holdBatch(
  { prisma }: DatabaseClient,
  { batchId, settings, failure }: { batchId: string; settings: ExperimentSettings; failure: Failure | null },
): Promise<void> {
  const cause = failure?.cause ?? null;
  if (failure === null || cause === null || (!CERTAIN.includes(cause) && !LIKELY.includes(cause))) return;
  if ((await prisma.run.findFirst({ where: { batchId, OR: HELD_BACK }, select: { id: true } })) === null) return;
  if (LIKELY.includes(cause) && !(await isCommon({ prisma }, batchId))) return;
  const { message, remedy, role, at } = failure;
  const { provider, model } = modelFor(settings, role ?? 'generate');
  const hold = cleanJson(batchHoldSchema.parse({ cause, message, remedy, provider, model, at }));
  await prisma.batch.updateMany({ where: { id: batchId, held: { equals: Prisma.DbNull } }, data: { held: hold } });
}

/**
 * Returns true if the failure probably affects all runs: none has made a version since the batch started or was resumed, or several have
 * failed.
 */
async function isCommon({ prisma }: DatabaseClient, batchId: string): Promise<boolean> {
  const batch = await prisma.batch.findUnique({ where: { id: batchId }, select: { resumedAt: true } });
  const since = batch?.resumedAt ? { finishedAt: { gte: batch.resumedAt } } : {};
  const made = await prisma.run.findFirst({
    where: { batchId, versionCount: { gt: 0 }, ...since },
    select: { id: true },
  });
  if (made === null) return true;
  const failed = await prisma.run.count({ where: { batchId, status: 'failed', ...since } });
  return failed >= MIN_LIKELY_FAILURES;
}

/** A batch whose runs wait until somebody resumes it. */
export type HeldBatch = { id: string; experimentId: string; experimentName: string; runs: number; hold: BatchHold };

/** Maximum number of held batches listed. More are rarely held at once. */
const MAX_HELD_BATCHES = 20;

/** Returns the held batches, newest first. */
export async function listHeldBatches({ prisma }: DatabaseClient): Promise<HeldBatch[]> {
  const batches = await prisma.batch.findMany({
    where: { held: { not: Prisma.DbNull } },
    select: { id: true, experimentId: true, held: true, experiment: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: MAX_HELD_BATCHES,
  });
  const found: HeldBatch[] = [];
  for (const { id, experimentId, experiment, held: hold } of batches) {
    const where = { batchId: id, OR: [...HELD_BACK, { status: { in: ['failed', 'stopped'] } }] };
    const runs = await prisma.run.count({ where });
    if (runs > 0)
      found.push({ id, experimentId, experimentName: experiment.name, runs, hold: batchHoldSchema.parse(hold) });
  }
  return found;
}

/** Runs that no worker has started. */
const NOT_BEGUN = { status: 'queued', startedAt: null } as const;

/** Runs that a hold of their batch holds back. */
const HELD_BACK = [NOT_BEGUN, RATE_LIMITED];

/**
 * Releases the held runs of a batch. Returns the IDs of those to enqueue, and the number of those that continue when their wait for a rate
 * limit is over.
 */
export async function releaseBatch(
  { prisma }: { prisma: Transaction },
  batchId: string,
): Promise<{ unstarted: string[]; limited: number }> {
  const where = { id: batchId, held: { not: Prisma.DbNull } };
  const { count } = await prisma.batch.updateMany({ where, data: { held: Prisma.DbNull } });
  if (count === 0) return { unstarted: [], limited: 0 };
  const runs = await prisma.run.findMany({
    where: { batchId, ...NOT_BEGUN },
    select: { id: true },
    orderBy: { position: 'asc' },
  });
  return {
    unstarted: runs.map(({ id }) => id),
    limited: await prisma.run.count({ where: { batchId, ...RATE_LIMITED } }),
  };
}
