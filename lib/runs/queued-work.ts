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

/** Whether any such work of a run waits, held or not. */
export async function hasWaitingWork({ prisma }: Database, table: WorkTable, runId: string): Promise<boolean> {
  const where = { runId, status: 'waiting' };
  const count = {
    rescores: () => prisma.rescore.count({ where }),
    retrospectives: () => prisma.retrospective.count({ where }),
    ablations: () => prisma.ablation.count({ where }),
  }[table];
  return (await count()) > 0;
}

/** Holds what a holder has of a run for another lease. */
export async function renewWork(database: Database, table: WorkTable, runId: string, holder: string): Promise<void> {
  await holdWork(database, { table, runId, holder }, 'own');
}

/** Lets go of what a holder has of a run, unfinished. */
export async function releaseWork({ prisma }: Database, table: WorkTable, runId: string, holder: string) {
  const waiting = { where: { runId, heldBy: holder, status: 'waiting' }, data: NOBODY };
  const release = {
    rescores: () => prisma.rescore.updateMany(waiting),
    retrospectives: () => prisma.retrospective.updateMany(waiting),
    ablations: () => prisma.ablation.updateMany(waiting),
  }[table];
  await release();
}

const NOBODY = { heldBy: null, heldUntil: null };

/** Lets go of all that a process that is gone held, and answers whose work it was. */
export async function releaseWorkOf(
  { rescore, retrospective, ablation }: Transaction,
  holder: string,
): Promise<string[]> {
  const held = { where: { heldBy: holder, status: 'waiting' }, data: NOBODY, select: { runId: true } };
  const released = [
    ...(await rescore.updateManyAndReturn(held)),
    ...(await retrospective.updateManyAndReturn(held)),
    ...(await ablation.updateManyAndReturn(held)),
  ];
  return released.map(({ runId }) => runId);
}

/** Lets go of what dead processes held. Only for the one process on its database. */
export async function releaseAllWork({ rescore, retrospective, ablation }: Transaction): Promise<void> {
  const waiting = { where: { status: 'waiting' }, data: NOBODY };
  await rescore.updateMany(waiting);
  await retrospective.updateMany(waiting);
  await ablation.updateMany(waiting);
}

/**
 * The runs that want performing: queued ones, those that a worker had begun, and those with re-scores, a retrospective or an ablation to make; oldest first.
 * Each kind is found by its own index: a condition with OR would read all runs.
 */
export async function unfinishedRunIds({ run, rescore, retrospective, ablation }: Transaction): Promise<string[]> {
  const select = { id: true, number: true };
  const open = await run.findMany({ where: { status: { in: ['queued', 'running'] } }, select });
  const waiting = { where: { status: 'waiting' }, select: { run: { select } } };
  const pieces = [
    ...(await rescore.findMany(waiting)),
    ...(await retrospective.findMany(waiting)),
    ...(await ablation.findMany(waiting)),
  ];
  const numbers = new Map([...open, ...pieces.map((piece) => piece.run)].map(({ id, number }) => [id, number]));
  return [...numbers].sort(([, one], [, other]) => one - other).map(([id]) => id);
}
