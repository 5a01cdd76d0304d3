import type { Database } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { leaseWork, type WorkTable } from './worker-queries.ts';

/** Claims the next waiting piece of a run's work for `holder` and returns its number. Null if no unclaimed piece is left. */
export async function claimWork(
  database: Database,
  table: WorkTable,
  runId: string,
  holder: string,
): Promise<number | null> {
  const [number = null] = await leaseWork(database, { table, runId, holder }, 'next');
  return number;
}

/** Returns true if a run has waiting work of this kind, claimed or not. */
export async function hasWaitingWork({ prisma }: Database, table: WorkTable, runId: string): Promise<boolean> {
  return (await PIECES[table](prisma).count({ where: { runId, status: 'waiting' } })) > 0;
}

/** Renews the lease on everything a holder has claimed of a run. Returns the numbers of the pieces it still has. */
export function renewWork(database: Database, table: WorkTable, runId: string, holder: string): Promise<number[]> {
  return leaseWork(database, { table, runId, holder }, 'own');
}

/** Releases everything a holder has claimed of a run. */
export async function releaseWork({ prisma }: Database, table: WorkTable, runId: string, holder: string) {
  await PIECES[table](prisma).updateManyAndReturn({ where: { runId, heldBy: holder }, ...RELEASED });
}

/** Releases everything that a dead process had claimed and returns the IDs of the affected runs. */
export async function releaseWorkOf(transaction: Transaction, holder: string): Promise<string[]> {
  const released: string[] = [];
  for (const pieces of Object.values(PIECES)) {
    const where = { heldBy: holder, status: 'waiting' };
    for (const { runId } of await pieces(transaction).updateManyAndReturn({ where, ...RELEASED })) released.push(runId);
  }
  return released;
}

/** Releases everything that dead processes had claimed. Only for a process that is alone on its database. */
export async function releaseAllWork(transaction: Transaction): Promise<void> {
  for (const pieces of Object.values(PIECES))
    await pieces(transaction).updateManyAndReturn({ where: { status: 'waiting' }, ...RELEASED });
}

/** The operations needed from each table of work. */
type Pieces = {
  count(query: { where: { runId: string; status: string } }): Promise<number>;
  updateManyAndReturn(
    change: { where: { runId?: string; heldBy?: string; status?: string } } & typeof RELEASED,
  ): Promise<{ runId: string }[]>;
  findMany(query: {
    where: { status: string };
    select: { run: { select: { id: true; number: true } } };
  }): Promise<{ run: { id: string; number: number } }[]>;
};

const RELEASED = { data: { heldBy: null, heldUntil: null }, select: { runId: true } } as const;

const PIECES: Record<WorkTable, (transaction: Transaction) => Pieces> = {
  rescores: ({ rescore }) => rescore,
  retrospectives: ({ retrospective }) => retrospective,
  ablations: ({ ablation }) => ablation,
};

/**
 * Returns the runs with work to do, oldest first: queued ones, those a worker had started unless they wait for a rate limit, and those with
 * a waiting re-score, retrospective or ablation. Each kind uses its own index, because an OR condition would scan all runs.
 */
export async function unfinishedRunIds(transaction: Transaction): Promise<string[]> {
  const select = { id: true, number: true } as const;
  const where = { status: { in: ['queued', 'running'] }, pauseExpiresAt: null };
  const runs = await transaction.run.findMany({ where, select });
  for (const pieces of Object.values(PIECES)) {
    const waiting = await pieces(transaction).findMany({ where: { status: 'waiting' }, select: { run: { select } } });
    runs.push(...waiting.map(({ run }) => run));
  }
  const numbers = new Map(runs.map(({ id, number }) => [id, number]));
  return [...numbers].sort(([, one], [, other]) => one - other).map(([id]) => id);
}
