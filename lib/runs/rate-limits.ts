import type { AppContext } from '#lib/context/app-context.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import type { Claim } from './claim-run.ts';
import type { StoredRun } from './load-run.ts';
import { type RateLimit, rateLimitSchema } from './schema.ts';

/** Runs that wait for the rate limit of a provider. No worker has them, and they have no job until `pauseExpiresAt`. */
const WAITING = { status: 'running', pauseExpiresAt: { not: null } } as const;

/** SQL: the rate limit that the run of the row `r` waits for, as `currentRateLimitSchema`. Null if it waits for none. */
export const CURRENT_RATE_LIMIT = `CASE WHEN r.status = 'running' AND r.pause_expires_at IS NOT NULL THEN json_build_object(
  'provider', r.rate_limit->>'provider', 'until', to_char(r.pause_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END`;

/** Returns true if a run waits for the rate limit of a provider. */
export function waitsForRateLimit({ status, pauseExpiresAt }: Pick<StoredRun['run'], 'status' | 'pauseExpiresAt'>) {
  return status === 'running' && pauseExpiresAt != null;
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
 * Lets a run that waits for a rate limit continue now. Its next call is made even if the limit is known to apply. Returns false if the run
 * does not wait for one.
 */
export async function endRateLimitWait(transaction: Transaction, runId: string, now: Date): Promise<boolean> {
  const run = await transaction.run.findFirst({
    where: { id: runId, ...WAITING },
    select: { claim: true, rateLimit: true },
  });
  if (run === null) return false;
  const { count } = await transaction.run.updateMany({
    where: { id: runId, claim: run.claim, ...WAITING },
    data: {
      pauseExpiresAt: now,
      rateLimit: { ...rateLimitSchema.parse(run.rateLimit), since: now.toISOString() },
    },
  });
  return count === 1;
}

/** Lets all runs that wait for the rate limit of a model continue now, because the provider accepts calls of it again. */
export async function endRateLimit(
  { prisma }: Pick<Database, 'prisma'>,
  { provider, model }: Pick<RateLimit, 'provider' | 'model'>,
  now: Date,
): Promise<void> {
  const isOfModel = [
    { rateLimit: { path: ['provider'], equals: provider } },
    { rateLimit: { path: ['model'], equals: model } },
  ];
  await prisma.run.updateMany({
    where: { ...WAITING, pauseExpiresAt: { gt: now }, AND: isOfModel },
    data: { pauseExpiresAt: now },
  });
}

/** Enqueues the runs whose wait for a rate limit is over, oldest first. */
export async function continueRateLimited({ database, enqueue, now }: AppContext): Promise<void> {
  const where = { ...WAITING, pauseExpiresAt: { lte: now() } };
  await inTransaction(database, async (transaction) => {
    const due = await transaction.run.updateManyAndReturn({
      where,
      data: { pauseExpiresAt: null },
      select: { id: true, number: true },
    });
    await enqueue(
      due.sort((one, other) => one.number - other.number).map(({ id }) => id),
      transaction,
    );
  });
}
