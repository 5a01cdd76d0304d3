import type { Database } from '#lib/database/database.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { holdWork, type WorkTable } from './worker-queries.ts';

/** Takes the next waiting piece of a run for `holder` and answers its number; null when there is none that is not held. */
export async function takeWork(
  database: Database,
  table: WorkTable,
  runId: string,
  holder: string,
): Promise<number | null> {
  const [number = null] = await holdWork(database, { table, runId, holder }, 'next');
  return number;
}

/** True if any such work of a run waits, held or not. */
export async function hasWaitingWork({ prisma }: Database, table: WorkTable, runId: string): Promise<boolean> {
  return (await PIECES[table](prisma).count({ where: { runId, status: 'waiting' } })) > 0;
}

/** Holds what a holder has of a run for another lease. Returns the numbers of the pieces that it still has. */
export function renewWork(database: Database, table: WorkTable, runId: string, holder: string): Promise<number[]> {
  return holdWork(database, { table, runId, holder }, 'own');
}

/** Lets go of what a holder has of a run. */
export async function releaseWork({ prisma }: Database, table: WorkTable, runId: string, holder: string) {
  await PIECES[table](prisma).updateManyAndReturn({ where: { runId, heldBy: holder }, ...RELEASED });
}

/** Lets go of all that a process that is gone held, and answers whose work it was. */
export async function releaseWorkOf(transaction: Transaction, holder: string): Promise<string[]> {
  const released: string[] = [];
  for (const pieces of Object.values(PIECES)) {
    const where = { heldBy: holder, status: 'waiting' };
    for (const { runId } of await pieces(transaction).updateManyAndReturn({ where, ...RELEASED })) released.push(runId);
  }
  return released;
}

/** Lets go of what dead processes held. Only for the one process on its database. */
export async function releaseAllWork(transaction: Transaction): Promise<void> {
  for (const pieces of Object.values(PIECES))
    await pieces(transaction).updateManyAndReturn({ where: { status: 'waiting' }, ...RELEASED });
}

/** What is asked of each table of work. */
type Pieces = {
  count(asked: { where: { runId: string; status: string } }): Promise<number>;
  updateManyAndReturn(
    change: { where: { runId?: string; heldBy?: string; status?: string } } & typeof RELEASED,
  ): Promise<{ runId: string }[]>;
  findMany(asked: {
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
 * The runs that want performing: queued ones, those that a worker had begun, and those with re-scores, a retrospective or an ablation to make; oldest first.
 * Each kind is found by its own index: a condition with OR would read all runs.
 */
export async function unfinishedRunIds(transaction: Transaction): Promise<string[]> {
  const select = { id: true, number: true } as const;
  const runs = await transaction.run.findMany({ where: { status: { in: ['queued', 'running'] } }, select });
  for (const pieces of Object.values(PIECES)) {
    const waiting = await pieces(transaction).findMany({ where: { status: 'waiting' }, select: { run: { select } } });
    runs.push(...waiting.map(({ run }) => run));
  }
  const numbers = new Map(runs.map(({ id, number }) => [id, number]));
  return [...numbers].sort(([, one], [, other]) => one - other).map(([id]) => id);
}
