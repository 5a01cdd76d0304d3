import { setImmediate } from 'node:timers/promises';
import { markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { cacheHasPromotedLessons } from '#lib/lessons/lesson-status.ts';
import { type StoredRun, untouchedRun } from './load-run.ts';
import { type ClaimRow, claimRows, isHeld } from './worker-queries.ts';

/** Proof of being the run's only worker. Every save must include it. */
export type Claim = { runId: string; claim: number; idleClaims: number };
/**
 * Claimed run. The first worker also gets the run itself because nothing except its row is stored yet. Later workers, and those of tuning
 * runs, must load it.
 */
type ClaimedRun = { claim: Claim; experimentId: string; untouched: StoredRun | null };

/**
 * Claims a run for a process if the run is queued or was abandoned by another worker. Returns null if there is nothing to perform. A job
 * that seems dead can be enqueued again while its run is still being performed. Then returns `held` until the performing process has ended
 * or was taken over.
 */
export async function claimRun(
  database: Database,
  runId: string,
  now: Date,
  processId: string | null = null,
): Promise<ClaimedRun | 'held' | null> {
  const mark = markChanges(database);
  const row = await claimWithOthers(database, runId, now, processId);
  if (row === undefined) return (await isHeld(database, runId, processId)) ? 'held' : null;
  cacheHasPromotedLessons(database, mark, row.hasLessons);
  const isFirst = row.claim === 1 && row.eventNumber === 0 && row.mode !== 'tune';
  return {
    claim: { runId, claim: row.claim, idleClaims: row.idleClaims },
    experimentId: row.experimentId,
    untouched: isFirst ? untouchedRun(row) : null,
  };
}

type ClaimGroup = { runIds: Set<string>; rows: Promise<Map<string, ClaimRow>> };

/** The claims that are about to be sent, by connection pool and process. */
const claimGroups = new WeakMap<Database['pool'], Map<string | null, ClaimGroup>>();

/**
 * Claims a run in one statement with all runs that are claimed in the same turn of the event loop. Runs whose last save shared a commit
 * end together, so the next runs of their slots are claimed together.
 */
async function claimWithOthers(
  database: Database,
  runId: string,
  now: Date,
  processId: string | null,
): Promise<ClaimRow | undefined> {
  const groups = claimGroups.get(database.pool) ?? new Map<string | null, ClaimGroup>();
  claimGroups.set(database.pool, groups);
  let group = groups.get(processId);
  // A second claim of the same run must come after the first.
  if (group === undefined || group.runIds.has(runId)) {
    const runIds = new Set<string>();
    const rows = setImmediate().then(() => {
      if (groups.get(processId)?.runIds === runIds) groups.delete(processId);
      return claimRows(database, [...runIds], now, processId);
    });
    group = { runIds, rows };
    groups.set(processId, group);
  }
  group.runIds.add(runId);
  return (await group.rows).get(runId);
}

/**
 * Releases a claim so that any process can claim the run. `inGoodOrder` means that the worker is stopping, which does not count as a crash.
 * Otherwise it failed to perform the run.
 */
export async function releaseClaim(
  { prisma }: Pick<Database, 'prisma'>,
  { runId, claim }: Claim,
  inGoodOrder: boolean,
): Promise<void> {
  const data = inGoodOrder ? { claimedBy: null, idleClaims: 0 } : { claimedBy: null };
  await prisma.run.updateMany({ where: { id: runId, claim }, data });
}

/** Returns true if no one else has claimed the run since. */
export async function holdsClaim({ prisma }: Pick<Database, 'prisma'>, { runId, claim }: Claim): Promise<boolean> {
  return (await prisma.run.findFirst({ where: { id: runId, claim }, select: { id: true } })) !== null;
}
