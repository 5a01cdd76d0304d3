import { markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { noteHasPromotedLessons } from '#lib/lessons/has-lessons.ts';
import { type StoredRun, untouchedRun } from './load-run.ts';
import { claimRow, isHeld } from './worker-queries.ts';

/** Proof of being the run's only worker: every save must quote it. */
export type Claim = { runId: string; claim: number; idleClaims: number };
/** A run's first worker gets the run along with the claim: nothing but its row is stored yet. Later ones, and those of tuning runs, must read it. */
type ClaimedRun = { claim: Claim; experimentId: string; untouched: StoredRun | null };

/**
 * Takes a run that is queued, or was left running by another worker, for a process; null when there is nothing to perform. A job can
 * be sent again while its run is performed, where it seems dead: `held` as long as the process that performs the run lives.
 */
export async function claimRun(
  database: Database,
  runId: string,
  now: Date,
  processId: string | null = null,
): Promise<ClaimedRun | 'held' | null> {
  const mark = markChanges(database);
  const row = await claimRow(database, runId, now, processId);
  if (row === null) return (await isHeld(database, runId, processId)) ? 'held' : null;
  noteHasPromotedLessons(database, mark, row.hasLessons);
  const isFirst = row.claim === 1 && row.eventNumber === 0 && row.mode !== 'tune';
  return {
    claim: { runId, claim: row.claim, idleClaims: row.idleClaims },
    experimentId: row.experimentId,
    untouched: isFirst ? untouchedRun(row) : null,
  };
}

/**
 * Gives a claim back, so that any process may take the run. `inGoodOrder`: the worker stops, which does not count as a crash; else it
 * failed at the run.
 */
export async function releaseClaim(
  { prisma }: Pick<Database, 'prisma'>,
  { runId, claim }: Claim,
  inGoodOrder: boolean,
): Promise<void> {
  const data = inGoodOrder ? { claimedBy: null, idleClaims: 0 } : { claimedBy: null };
  await prisma.run.updateMany({ where: { id: runId, claim }, data });
}

/** Whether nobody else has claimed the run since. */
export async function holdsClaim({ prisma }: Pick<Database, 'prisma'>, { runId, claim }: Claim): Promise<boolean> {
  return (await prisma.run.findFirst({ where: { id: runId, claim }, select: { id: true } })) !== null;
}
