import type { DatabaseClient } from '#lib/database/database.ts';

/**
 * Limit of failed attempts per window, at least two. The first excess attempt blocks for `firstBlockMs`. Each further one doubles the
 * block, up to `longestBlockMs`.
 */
export type AttemptLimit = { tries: number; windowMs: number; firstBlockMs: number; longestBlockMs: number };

/** Result of an attempt: allowed, or blocked until the given time. */
export type AttemptResult = { isAllowed: true } | { isAllowed: false; until: Date };

/**
 * Counts an attempt under `key` as failed until `clearAttempts` or `refundAttempt` is called, so that concurrent attempts cannot exceed the
 * limit. Uses one row lock across all processes. Times are those of the caller.
 */
export async function countAttempt(
  { prisma }: DatabaseClient,
  { key, limit, now }: { key: string; limit: AttemptLimit; now: Date },
): Promise<AttemptResult> {
  const { tries, windowMs, firstBlockMs, longestBlockMs } = limit;
  const counted = await prisma.$executeRawUnsafe(
    COUNT_ATTEMPT_SQL,
    key,
    now,
    windowMs,
    tries,
    firstBlockMs,
    longestBlockMs,
  );
  if (counted === 1) return { isAllowed: true };
  const blocked = await prisma.signInLimit.findUnique({ where: { key, blockedUntil: { gt: now } } });
  return blocked?.blockedUntil ? { isAllowed: false, until: blocked.blockedUntil } : { isAllowed: true };
}

/** Clears all failed attempts under `key` after a success. */
export async function clearAttempts({ prisma }: DatabaseClient, key: string): Promise<void> {
  await prisma.signInLimit.deleteMany({ where: { key } });
}

/** Removes only this attempt after a success. Earlier failures remain counted. */
export async function refundAttempt(
  { prisma }: DatabaseClient,
  { key, limit }: { key: string; limit: AttemptLimit },
): Promise<void> {
  await prisma.$transaction([
    prisma.signInLimit.updateMany({ where: { key, failures: { gt: 0 } }, data: { failures: { decrement: 1 } } }),
    prisma.signInLimit.updateMany({ where: { key, failures: { lt: limit.tries } }, data: { blockedUntil: null } }),
  ]);
}

/** Deletes entries older than a day. */
export async function deleteOldAttempts({ prisma }: DatabaseClient, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  await prisma.signInLimit.deleteMany({
    where: { since: { lt: dayAgo }, OR: [{ blockedUntil: null }, { blockedUntil: { lt: dayAgo } }] },
  });
}

/** True if the window or the block ended at least one window ago. */
const IS_OVER = `greatest(kept.since, kept.blocked_until) < $2::timestamptz - make_interval(secs => $3 / 1000.0)`;
// Changes no row if the key is blocked.
const COUNT_ATTEMPT_SQL = `
  INSERT INTO sign_in_limits AS kept (key, failures, since) VALUES ($1, 1, $2)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN ${IS_OVER} THEN 1 ELSE kept.failures + 1 END,
    since = CASE WHEN ${IS_OVER} THEN $2 ELSE kept.since END,
    blocked_until = CASE WHEN ${IS_OVER} OR kept.failures + 1 < $4::int THEN NULL
      ELSE $2::timestamptz + make_interval(secs => least($6, $5 * power(2, least(kept.failures + 1 - $4::int, 20))) / 1000.0) END
  WHERE kept.blocked_until IS NULL OR kept.blocked_until <= $2`;
