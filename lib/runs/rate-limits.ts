import type { AppContext } from '#lib/context/app-context.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import type { Claim } from './claim-run.ts';
import type { StoredRun } from './load-run.ts';
import { type RateLimit, rateLimitSchema } from './schema.ts';

/** Runs that wait for the rate limit of a provider. No worker has them, and they have no job until `pauseExpiresAt`. */
const WAITING = { status: 'running', pauseExpiresAt: { not: null } } as const;

/** Time that other runs wait for the response of the first call after a rate limit, in milliseconds. */
export const PROBE_MS = 15_000;
/** Number of waiting runs that continue after each call that the provider accepts. */
const RELEASED_PER_CALL = 2;

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
 * Enqueues a run that waits for a rate limit. Its next call is made even if the limit is known to apply. Returns false if the run does not
 * wait for one.
 */
export async function endRateLimitWait(
  { enqueue, now }: Pick<AppContext, 'enqueue' | 'now'>,
  transaction: Transaction,
  runId: string,
): Promise<boolean> {
  const run = await transaction.run.findFirst({
    where: { id: runId, ...WAITING },
    select: { claim: true, rateLimit: true },
  });
  if (run === null) return false;
  const { count } = await transaction.run.updateMany({
    where: { id: runId, claim: run.claim, ...WAITING },
    data: {
      pauseExpiresAt: null,
      rateLimit: { ...rateLimitSchema.parse(run.rateLimit), since: now().toISOString() },
    },
  });
  if (count === 0) return false;
  await enqueue([runId], transaction);
  return true;
}

/** SQL: the run `r` waits for a rate limit, and its batch is not on hold. */
const MAY_CONTINUE = `r.status = 'running' AND r.pause_expires_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM batches b WHERE b.id = r.batch_id AND b.held IS NOT NULL)`;
/** SQL: the run `r` waits for the rate limit of model $2 of provider $1. */
const IS_OF_MODEL = `r.rate_limit->>'provider' = $1 AND r.rate_limit->>'model' = $2`;

const PROBE = `
  WITH due AS (
    SELECT id, row_number() OVER (PARTITION BY r.rate_limit->>'provider', r.rate_limit->>'model' ORDER BY number) = 1 AS "isProbe"
    FROM runs r WHERE ${MAY_CONTINUE} AND r.pause_expires_at <= $1)
  UPDATE runs r SET pause_expires_at = CASE WHEN due."isProbe" THEN NULL ELSE $2::timestamptz END
  FROM due WHERE r.id = due.id AND r.status = 'running' AND r.pause_expires_at <= $1 RETURNING r.id, due."isProbe"`;

/**
 * Enqueues the oldest run of each model whose rate limit should be over. Its call shows if it is. The other runs wait for that call, at
 * most for `PROBE_MS`.
 */
export async function continueRateLimited({ database, enqueue, now }: AppContext): Promise<void> {
  const at = now();
  await inTransaction(database, async (transaction) => {
    const due = await transaction.$queryRawUnsafe<{ id: string; isProbe: boolean }[]>(
      PROBE,
      at,
      new Date(at.getTime() + PROBE_MS),
    );
    const probes = due.filter(({ isProbe }) => isProbe).map(({ id }) => id);
    if (probes.length > 0) await enqueue(probes, transaction);
  });
}

const RELEASE = `
  UPDATE runs SET pause_expires_at = NULL WHERE id IN (
    SELECT id FROM runs r WHERE ${MAY_CONTINUE} AND ${IS_OF_MODEL} ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED)
  RETURNING id, number`;

/**
 * Enqueues the oldest runs that wait for the rate limit of a model, because the provider accepted a call. Each of their calls releases more,
 * so the number of calls at once grows quickly, but not to all at once. Returns false if no more runs wait.
 */
export async function releaseRateLimited(
  { database, enqueue }: Pick<AppContext, 'database' | 'enqueue'>,
  { provider, model }: Pick<RateLimit, 'provider' | 'model'>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const released = await transaction.$queryRawUnsafe<{ id: string; number: number }[]>(
      RELEASE,
      provider,
      model,
      RELEASED_PER_CALL,
    );
    const oldestFirst = released.sort((one, other) => one.number - other.number);
    if (released.length > 0)
      await enqueue(
        oldestFirst.map(({ id }) => id),
        transaction,
      );
    return released.length === RELEASED_PER_CALL;
  });
}

/** Lets the runs that wait for the rate limit of a model wait until `until`, because the provider refused a call again. */
export async function extendRateLimit(
  { prisma }: DatabaseClient,
  { provider, model }: Pick<RateLimit, 'provider' | 'model'>,
  until: Date,
): Promise<void> {
  const isOfModel = [
    { rateLimit: { path: ['provider'], equals: provider } },
    { rateLimit: { path: ['model'], equals: model } },
  ];
  await prisma.run.updateMany({
    where: { ...WAITING, pauseExpiresAt: { lt: until }, AND: isOfModel },
    data: { pauseExpiresAt: until },
  });
}
