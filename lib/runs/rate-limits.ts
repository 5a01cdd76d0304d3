import type { AppContext } from '#lib/context/app-context.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import type { Claim } from './claim-run.ts';
import type { StoredRun } from './load-run.ts';
import { releaseWaiting } from './queries.ts';
import { type CurrentRateLimit, type RateLimit, rateLimitSchema } from './schema.ts';

/** Runs that wait for the rate limit of a provider. No worker has them, and they have no job until `pauseExpiresAt`. */
export const RATE_LIMITED = { status: 'running', pauseExpiresAt: { not: null } } as const;

/** Time that other runs wait for the response of the first call after a rate limit, in milliseconds. */
export const PROBE_MS = 15_000;
/** Number of waiting runs that continue after each call that the provider accepts. */
const RELEASED_PER_CALL = 2;

/** A model whose rate limit runs wait for. */
type LimitedModel = Pick<RateLimit, 'provider' | 'model'>;

/** Returns the key of a model in a map. */
export function modelOf({ provider, model }: LimitedModel): string {
  return JSON.stringify([provider, model]);
}

/** Returns true if a run waits for the rate limit of a provider. */
export function waitsForRateLimit({ status, pauseExpiresAt }: Pick<StoredRun['run'], 'status' | 'pauseExpiresAt'>) {
  return status === 'running' && pauseExpiresAt != null;
}

/** Returns the rate limit that a run waits for at the moment. Null if it waits for none. */
export function currentRateLimit(
  run: Pick<StoredRun['run'], 'status' | 'pauseExpiresAt' | 'rateLimit'>,
): CurrentRateLimit | null {
  const { pauseExpiresAt: until, rateLimit } = run;
  return waitsForRateLimit(run) && until && rateLimit ? { provider: rateLimit.provider, until } : null;
}

/**
 * Releases the claim of a run that waits for a rate limit until `until`. Returns false if the run was changed since event `eventNumber`. A
 * change that was computed before and is saved afterwards is refused, because the claim number changes.
 */
export async function waitForRateLimit(
  { prisma }: DatabaseClient,
  { runId, claim }: Claim,
  eventNumber: number,
  { limit, until }: { limit: RateLimit; until: Date },
): Promise<boolean> {
  const { count } = await prisma.run.updateMany({
    where: { id: runId, claim, eventNumber, status: 'running' },
    data: { claim: { increment: 1 }, claimedBy: null, idleClaims: 0, rateLimit: limit, pauseExpiresAt: until },
  });
  return count === 1;
}

/**
 * Enqueues a run that waits for a rate limit. Its next call is made even if the limit is known to apply. Returns false if the run does not
 * wait for one.
 */
export async function endRateLimitWait(
  { enqueue, now }: Pick<AppContext, 'enqueue' | 'now'>,
  transaction: Transaction,
  runId: string,
): Promise<boolean> {
  const run = await transaction.run.findFirst({
    where: { id: runId, ...RATE_LIMITED },
    select: { claim: true, rateLimit: true },
  });
  if (run === null) return false;
  const { count } = await transaction.run.updateMany({
    where: { id: runId, claim: run.claim, ...RATE_LIMITED },
    data: {
      pauseExpiresAt: null,
      rateLimit: { ...rateLimitSchema.parse(run.rateLimit), since: now().toISOString() },
    },
  });
  if (count === 0) return false;
  await enqueue([runId], transaction);
  return true;
}

/** Runs that wait for a rate limit, without those of batches on hold. */
const MAY_CONTINUE = { ...RATE_LIMITED, batch: { held: { equals: Prisma.DbNull } } };

/**
 * Enqueues the oldest run of each model whose rate limit should be over. Its call shows if it is. The other runs wait for that call, at
 * most for `PROBE_MS`.
 */
export async function continueRateLimited({ database, enqueue, now }: AppContext): Promise<void> {
  const at = now();
  await inTransaction(database, async (transaction) => {
    const due = await transaction.run.updateManyAndReturn({
      where: { ...MAY_CONTINUE, pauseExpiresAt: { lte: at } },
      data: { pauseExpiresAt: new Date(at.getTime() + PROBE_MS) },
      select: { id: true, number: true, rateLimit: true },
    });
    const newestFirst = due.sort((one, other) => other.number - one.number);
    const oldest = new Map(newestFirst.map(({ id, rateLimit }) => [modelOf(rateLimitSchema.parse(rateLimit)), id]));
    const probes = [...oldest.values()];
    await transaction.run.updateMany({ where: { id: { in: probes } }, data: { pauseExpiresAt: null } });
    await enqueue(probes, transaction);
  });
}

/**
 * Enqueues the oldest runs that wait for the rate limit of a model, because the provider accepted a call. Each of their calls releases
 * more, so the number of concurrent calls grows quickly, but step by step. Returns false if no more runs wait.
 */
export async function releaseRateLimited(
  { database, enqueue }: Pick<AppContext, 'database' | 'enqueue'>,
  model: LimitedModel,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const released = await releaseWaiting(transaction, model, RELEASED_PER_CALL);
    if (released.length > 0) await enqueue(released, transaction);
    return released.length === RELEASED_PER_CALL;
  });
}

/** Lets the runs that wait for the rate limit of a model wait until `until`, because the provider refused a call again. */
export async function extendRateLimit(
  { prisma }: DatabaseClient,
  { provider, model }: LimitedModel,
  until: Date,
): Promise<void> {
  const isOfModel = [
    { rateLimit: { path: ['provider'], equals: provider } },
    { rateLimit: { path: ['model'], equals: model } },
  ];
  await prisma.run.updateMany({
    where: { ...RATE_LIMITED, pauseExpiresAt: { lt: until }, AND: isOfModel },
    data: { pauseExpiresAt: until },
  });
}
