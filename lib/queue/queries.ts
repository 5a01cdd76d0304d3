import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { HOLDS_LOCK } from '#lib/database/locks.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { RECONNECT_MS } from './detect-gaps.ts';

/** Process of Hone on the database: one that serves pages (and may perform runs too), or one that only performs runs. */
export type AppProcess = {
  /** Generated at each start. */
  id: string;
  kind: 'web' | 'worker';
  host: string;
  processId: number;
  version: string;
  /** Maximum concurrent runs, 0 to 64. */
  slots: number;
  /** Number of runs being performed. */
  busy: number;
  startedAt: Date;
};

/** Heartbeat interval of a process, in milliseconds. */
export const HEARTBEAT_INTERVAL_MS = 5_000;
/** Time without a heartbeat after which a process is considered gone, in milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 30_000;

/** Records a heartbeat of the process, by the database's clock. */
export async function recordHeartbeat({ pool }: Pick<Database, 'pool'>, process: AppProcess): Promise<void> {
  const { id, kind, host, processId, version, slots, busy, startedAt } = process;
  await pool.query({
    name: 'beat-app-process',
    text: `INSERT INTO app_processes (id, kind, host, process_id, version, slots, busy, started_at, seen_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
      ON CONFLICT (id) DO UPDATE SET slots = $6, busy = $7, seen_at = now()`,
    values: [id, kind, host, processId, version, slots, busy, startedAt],
  });
}

/** Removes a process that shuts down cleanly. */
export async function removeAppProcess({ prisma }: DatabaseClient, id: string): Promise<void> {
  await prisma.appProcess.deleteMany({ where: { id } });
}

/** Removes all processes except one. Safe only for the only process on its database. */
export async function removeOtherProcesses({ prisma }: DatabaseClient, id: string): Promise<void> {
  await prisma.appProcess.deleteMany({ where: { id: { not: id } } });
}

type LiveProcess = AppProcess & { seenAt: Date };

/** Returns the processes with a heartbeat within the last 30 s, longest running first. */
export function listLiveProcesses({ prisma }: DatabaseClient): Promise<LiveProcess[]> {
  return prisma.$queryRaw<LiveProcess[]>`
    SELECT id, kind, host, process_id AS "processId", version, slots, busy, started_at AS "startedAt", seen_at AS "seenAt"
    FROM app_processes WHERE seen_at > now() - ${HEARTBEAT_TIMEOUT_MS} * interval '1 millisecond' ORDER BY started_at, id`;
}

/** Process that does not hold its lock or has had no heartbeat for 30 s, with its last heartbeat. */
export type SilentProcess = { id: string; host: string; processId: number; seenAt: Date; isLong: boolean };

/** Returns the processes except `ownId` that seem to be gone. Empty shortly after the database server was started. */
export async function silentProcesses(
  { pool }: Pick<Database, 'pool'>,
  ownId: string,
  serverAgeMs: number = RECONNECT_MS,
): Promise<SilentProcess[]> {
  const { rows } = await pool.query<SilentProcess>({
    name: 'silent-processes',
    text: `SELECT p.id, p.host, p.process_id AS "processId", p.seen_at AS "seenAt", p.seen_at < now() - $2 * interval '1 millisecond' AS "isLong"
      FROM app_processes p
      WHERE p.id <> $1 AND pg_postmaster_start_time() < now() - $3 * interval '1 millisecond'
        AND (p.seen_at < now() - $2 * interval '1 millisecond' OR NOT ${HOLDS_LOCK})`,
    values: [ownId, HEARTBEAT_TIMEOUT_MS, serverAgeMs],
  });
  return rows;
}

/** Returns true if any process except `ownId` is registered. */
export async function hasOtherProcesses({ prisma }: DatabaseClient, ownId: string): Promise<boolean> {
  return (await prisma.appProcess.findFirst({ where: { id: { not: ownId } }, select: { id: true } })) !== null;
}

/** Removes a process unless it has had a heartbeat since. Returns false if it had one or another process removed it. */
export async function removeSilentProcess(
  transaction: Transaction,
  { id, seenAt }: Pick<SilentProcess, 'id' | 'seenAt'>,
): Promise<boolean> {
  const { count } = await transaction.appProcess.deleteMany({ where: { id, seenAt: { lte: seenAt } } });
  return count === 1;
}

/** Returns the unfinished runs last claimed by a process. */
export async function runsClaimedBy(transaction: Transaction, processId: string): Promise<string[]> {
  const where = { status: 'running', claimedBy: processId };
  return (await transaction.run.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** Deletes the jobs of these runs in the transaction: either those a worker has begun, or those not begun. */
export async function deleteJobs(
  transaction: Transaction,
  { queue, begun }: { queue: string; begun: boolean },
  runIds: string[],
): Promise<void> {
  await transaction.$executeRaw`
    DELETE FROM pgboss.job WHERE name = ${queue} AND state ${Prisma.raw(begun ? '=' : '<')} 'active' AND singleton_key = ANY (${runIds}::text[])`;
}
