import { z } from 'zod';
import type { Failure } from '#lib/core/history.ts';
import { MODEL_FAILURE_KINDS, type ModelFailureKind } from '#lib/core/model-request.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson } from '#lib/database/query-values.ts';

/** Why the runs of a batch that have not begun wait until somebody resumes it. */
export const batchHoldSchema = z.object({
  cause: z.enum(MODEL_FAILURE_KINDS),
  message: z.string(),
  remedy: z.string(),
  provider: z.string(),
  model: z.string(),
  at: z.iso.datetime(),
});
export type BatchHold = z.infer<typeof batchHoldSchema>;

/** Failures after which no other run of a batch can do better until a person has changed something. */
const CERTAIN: readonly ModelFailureKind[] = ['unknown_provider', 'no_key', 'unauthorized'];
/** Failures that can also come of one case: a case that is not allowed, or a model of one worker alone. */
const LIKELY: readonly ModelFailureKind[] = ['forbidden', 'not_found'];

/** Runs that must have failed of what can come of one case, where other runs of the batch did make a version. */
const MOST_LIKELY_FAILURES = 3;

/**
 * Holds the runs of a batch that have not begun, where a run of it failed of what cannot go away by itself: they would all fail alike.
 * The first failure is kept. Does nothing where no run is left to begin.
 */
export async function holdBatch(
  { prisma }: Pick<Database, 'prisma'>,
  { batchId, settings, failure }: { batchId: string; settings: ExperimentSettings; failure: Failure | null },
): Promise<void> {
  const cause = failure?.cause ?? null;
  if (failure === null || cause === null || (!CERTAIN.includes(cause) && !LIKELY.includes(cause))) return;
  if ((await prisma.run.findFirst({ where: { batchId, ...NOT_BEGUN }, select: { id: true } })) === null) return;
  if (LIKELY.includes(cause) && !(await isCommon({ prisma }, batchId))) return;
  const { message, remedy, role, at } = failure;
  const { provider, model } = modelFor(settings, role ?? 'generate');
  const held = cleanJson(batchHoldSchema.parse({ cause, message, remedy, provider, model, at }));
  await prisma.batch.updateMany({ where: { id: batchId, held: { equals: Prisma.DbNull } }, data: { held } });
}

/** Whether all runs fail alike as far as is known: none has made a version since the batch was begun or resumed, or several have failed. */
async function isCommon({ prisma }: Pick<Database, 'prisma'>, batchId: string): Promise<boolean> {
  const batch = await prisma.batch.findUnique({ where: { id: batchId }, select: { resumedAt: true } });
  const since = batch?.resumedAt ? { finishedAt: { gte: batch.resumedAt } } : {};
  const made = await prisma.run.findFirst({
    where: { batchId, versionCount: { gt: 0 }, ...since },
    select: { id: true },
  });
  if (made === null) return true;
  const failed = await prisma.run.count({ where: { batchId, status: 'failed', ...since } });
  return failed >= MOST_LIKELY_FAILURES;
}

/** A batch whose runs wait until somebody resumes it. */
export type HeldBatch = { id: string; experimentId: string; experimentName: string; runs: number; hold: BatchHold };

/** Batches that are named; more are never on hold for long. */
const MOST_HELD = 20;

/** The batches that are held, newest first. */
export async function listHeldBatches({ prisma }: Pick<Database, 'prisma'>): Promise<HeldBatch[]> {
  const batches = await prisma.batch.findMany({
    where: { held: { not: Prisma.DbNull } },
    select: { id: true, experimentId: true, held: true, experiment: { select: { name: true } } },
    orderBy: { createdAt: 'desc' },
    take: MOST_HELD,
  });
  const held: HeldBatch[] = [];
  for (const { id, experimentId, experiment, held: hold } of batches) {
    const where = { batchId: id, OR: [{ ...NOT_BEGUN }, { status: { in: ['failed', 'stopped'] } }] };
    const runs = await prisma.run.count({ where });
    if (runs > 0)
      held.push({ id, experimentId, experimentName: experiment.name, runs, hold: batchHoldSchema.parse(hold) });
  }
  return held;
}

/** Runs that no worker has begun. */
const NOT_BEGUN = { status: 'queued', startedAt: null } as const;

/** Lets the runs of a batch begin that were held, and answers which those are. */
export async function releaseBatch({ prisma }: Pick<Database, 'prisma'>, batchId: string): Promise<string[]> {
  const held = { id: batchId, held: { not: Prisma.DbNull } };
  const { count } = await prisma.batch.updateMany({ where: held, data: { held: Prisma.DbNull } });
  if (count === 0) return [];
  const runs = await prisma.run.findMany({
    where: { batchId, ...NOT_BEGUN },
    select: { id: true },
    orderBy: { position: 'asc' },
  });
  return runs.map(({ id }) => id);
}
