import type { Database } from '#lib/database/database.ts';

/**
 * How many failed tries are taken in a window, and how long none is taken then: `firstBlockMs` after the first too many, doubled at
 * each further one, up to `longestBlockMs`. At least two tries.
 */
export type TryLimit = { tries: number; windowMs: number; firstBlockMs: number; longestBlockMs: number };

/** Whether a try is taken; where it is not, when the next one will be. */
export type TakenTry = { taken: true } | { taken: false; until: Date };

/**
 * Takes one try under `key`, counted as failed until `forgetTries` or `forgiveTry` says otherwise, so that tries at the same moment can't
 * pass the limit together. One row lock over all processes; times are those of the caller.
 */
export async function takeTry(
  { prisma }: Pick<Database, 'prisma'>,
  { key, limit, now }: { key: string; limit: TryLimit; now: Date },
): Promise<TakenTry> {
  const { tries, windowMs, firstBlockMs, longestBlockMs } = limit;
  const taken = await prisma.$executeRawUnsafe(TAKE, key, now, windowMs, tries, firstBlockMs, longestBlockMs);
  if (taken === 1) return { taken: true };
  const blocked = await prisma.signInLimit.findUnique({ where: { key, blockedUntil: { gt: now } } });
  return blocked?.blockedUntil ? { taken: false, until: blocked.blockedUntil } : { taken: true };
}

/** The try succeeded: all that failed under `key` is forgotten. */
export async function forgetTries({ prisma }: Pick<Database, 'prisma'>, key: string): Promise<void> {
  await prisma.signInLimit.deleteMany({ where: { key } });
}

/** The try succeeded: it alone is taken back, what failed before it stays counted. */
export async function forgiveTry(
  { prisma }: Pick<Database, 'prisma'>,
  { key, limit }: { key: string; limit: TryLimit },
): Promise<void> {
  await prisma.$transaction([
    prisma.signInLimit.updateMany({ where: { key, failures: { gt: 0 } }, data: { failures: { decrement: 1 } } }),
    prisma.signInLimit.updateMany({ where: { key, failures: { lt: limit.tries } }, data: { blockedUntil: null } }),
  ]);
}

/** Forgets what is older than a day. */
export async function removeOldTries({ prisma }: Pick<Database, 'prisma'>, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  await prisma.signInLimit.deleteMany({
    where: { since: { lt: dayAgo }, OR: [{ blockedUntil: null }, { blockedUntil: { lt: dayAgo } }] },
  });
}

/** A window, or a block, that has been over for as long as a window. */
const IS_OVER = `greatest(kept.since, kept.blocked_until) < $2::timestamptz - make_interval(secs => $3 / 1000.0)`;
// No row is changed where the key is blocked.
const TAKE = `
  INSERT INTO sign_in_limits AS kept (key, failures, since) VALUES ($1, 1, $2)
  ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN ${IS_OVER} THEN 1 ELSE kept.failures + 1 END,
    since = CASE WHEN ${IS_OVER} THEN $2 ELSE kept.since END,
    blocked_until = CASE WHEN ${IS_OVER} OR kept.failures + 1 < $4::int THEN NULL
      ELSE $2::timestamptz + make_interval(secs => least($6, $5 * power(2, least(kept.failures + 1 - $4::int, 20))) / 1000.0) END
  WHERE kept.blocked_until IS NULL OR kept.blocked_until <= $2`;
