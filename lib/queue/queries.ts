import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { HOLDS_LOCK } from '#lib/database/locks.ts';
import type { Transaction } from '#lib/database/transactions.ts';

/** A process of Hone on the database: one that serves pages (and may perform runs too), or one that only performs runs. */
export type AppProcess = {
  /** Made anew at each start. */
  id: string;
  kind: 'web' | 'worker';
  host: string;
  processId: number;
  version: string;
  /** Runs it performs at the same time, 0 to 64. */
  slots: number;
  /** Runs at work. */
  busy: number;
  startedAt: Date;
};

/** How often a process says that it lives. */
export const BEAT_MS = 5_000;
/** A process that was silent for this long is gone. */
const GONE_MS = 30_000;

/** Says that the process lives, by the database's clock. */
export async function beatAppProcess({ pool }: Pick<Database, 'pool'>, process: AppProcess): Promise<void> {
  const { id, kind, host, processId, version, slots, busy, startedAt } = process;
  await pool.query({
    name: 'beat-app-process',
    text: `INSERT INTO app_processes (id, kind, host, process_id, version, slots, busy, started_at, seen_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
      ON CONFLICT (id) DO UPDATE SET slots = $6, busy = $7, seen_at = now()`,
    values: [id, kind, host, processId, version, slots, busy, startedAt],
  });
}

/** Takes the process off the list: it ends in good order. */
export async function leaveAppProcesses({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.appProcess.deleteMany({ where: { id } });
}

/** Takes all processes off the list but one. Only for the one process on its database. */
export async function forgetOtherProcesses({ prisma }: Pick<Database, 'prisma'>, id: string): Promise<void> {
  await prisma.appProcess.deleteMany({ where: { id: { not: id } } });
}

type LivingProcess = AppProcess & { seenAt: Date };

/** The processes that were heard of within the last 30 s, longest running first. */
export function livingProcesses({ prisma }: Pick<Database, 'prisma'>): Promise<LivingProcess[]> {
  return prisma.$queryRaw<LivingProcess[]>`
    SELECT id, kind, host, process_id AS "processId", version, slots, busy, started_at AS "startedAt", seen_at AS "seenAt"
    FROM app_processes WHERE seen_at > now() - ${GONE_MS} * interval '1 millisecond' ORDER BY started_at, id`;
}

/** A process that does not hold its lock, or was not heard of for 30 s; and when it was heard of last. */
export type SilentProcess = { id: string; host: string; processId: number; seenAt: Date; isLong: boolean };

/** How long a server must be up before a lock that nobody holds tells anything: the living need a moment to come back. */
const SERVER_AGE_MS = 10_000;

/** SQL: whether the process of the row `p` lives, as far as others can tell. */
export const LIVES = `(p.seen_at >= now() - ${GONE_MS} * interval '1 millisecond'
  AND (${HOLDS_LOCK} OR pg_postmaster_start_time() > now() - ${SERVER_AGE_MS} * interval '1 millisecond'))`;

/** The processes but `ownId` that seem to be gone. Empty just after the server was started. */
export async function silentProcesses(
  { pool }: Pick<Database, 'pool'>,
  ownId: string,
  serverAgeMs: number = SERVER_AGE_MS,
): Promise<SilentProcess[]> {
  const { rows } = await pool.query<SilentProcess>({
    name: 'silent-processes',
    text: `SELECT p.id, p.host, p.process_id AS "processId", p.seen_at AS "seenAt", p.seen_at < now() - $2 * interval '1 millisecond' AS "isLong"
      FROM app_processes p
      WHERE p.id <> $1 AND pg_postmaster_start_time() < now() - $3 * interval '1 millisecond'
        AND (p.seen_at < now() - $2 * interval '1 millisecond' OR NOT ${HOLDS_LOCK})`,
    values: [ownId, GONE_MS, serverAgeMs],
  });
  return rows;
}

/** Whether any process but `ownId` is on the list. */
export async function hasOtherProcesses({ prisma }: Pick<Database, 'prisma'>, ownId: string): Promise<boolean> {
  return (await prisma.appProcess.findFirst({ where: { id: { not: ownId } }, select: { id: true } })) !== null;
}

/** Takes the process off the list, unless it was heard of since or another one did so; answers whether. */
export async function strikeProcess(
  transaction: Transaction,
  { id, seenAt }: Pick<SilentProcess, 'id' | 'seenAt'>,
): Promise<boolean> {
  const { count } = await transaction.appProcess.deleteMany({ where: { id, seenAt: { lte: seenAt } } });
  return count === 1;
}

/** The runs that a process has claimed last and that are still under way. */
export async function runsClaimedBy(transaction: Transaction, processId: string): Promise<string[]> {
  const where = { status: 'running', claimedBy: processId };
  return (await transaction.run.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** Deletes the jobs of these runs, in the transaction: those that a worker has begun, or those that none has. */
export async function deleteJobs(
  transaction: Transaction,
  { queue, begun }: { queue: string; begun: boolean },
  runIds: string[],
): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM pgboss.job WHERE name = ${queue} AND state ${Prisma.raw(begun ? '=' : '<')} 'active' AND singleton_key = ANY (${runIds}::text[])`;
}
