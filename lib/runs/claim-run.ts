import { markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { HAS_PROMOTED_LESSONS, noteHasPromotedLessons } from '#lib/lessons/has-lessons.ts';
import { LIVES } from '#lib/queue/queries.ts';
import { type StoredRun, untouchedRun } from './load-run.ts';

/** Proof of being the run's only worker: every save must quote it. */
export type Claim = { runId: string; claim: number; idleClaims: number };
/** A run's first worker gets the run along with the claim: nothing but its row is stored yet. Later ones, and those of tuning runs, must read it. */
export type ClaimedRun = { claim: Claim; experimentId: string; untouched: StoredRun | null };

/** SQL: whether another process than `process` performs the run of the row `runs` at this moment. */
const performedBeside = (process: string) => `(status = 'running' AND claimed_by IS DISTINCT FROM ${process}::uuid
  AND EXISTS (SELECT 1 FROM app_processes p WHERE p.id = claimed_by AND ${LIVES}))`;

/** SQL: whether the run of the row `runs` has not begun, and waits until its batch is resumed. */
const HELD = `(status = 'queued' AND started_at IS NULL AND EXISTS (SELECT 1 FROM batches b WHERE b.id = batch_id AND b.held IS NOT NULL))`;

const CLAIM = `
  WITH claimed AS (
    UPDATE runs SET claim = claim + 1, claimed_by = $3, idle_claims = idle_claims + 1, status = 'running', started_at = coalesce(started_at, $2)
    WHERE id = $1 AND status IN ('queued', 'running') AND NOT ${performedBeside('$3')} AND NOT ${HELD} RETURNING *)
  SELECT r.claim, r.idle_claims AS "idleClaims", r.event_number AS "eventNumber", r.experiment_id AS "experimentId", s.settings->>'mode' AS mode, ${HAS_PROMOTED_LESSONS} AS "hasLessons", to_json(r) AS run, e.name AS experiment_name, s.settings
  FROM claimed r
  JOIN experiments e ON e.id = r.experiment_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version`;

type ClaimRow = {
  claim: number;
  idleClaims: number;
  eventNumber: number;
  experimentId: string;
  mode: string;
  hasLessons: boolean;
};

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
  const { rows } = await database.pool.query<ClaimRow>({
    name: 'claim-run',
    text: CLAIM,
    values: [runId, now, processId],
  });
  const [row] = rows;
  if (row === undefined) return (await isHeld(database, runId, processId)) ? 'held' : null;
  noteHasPromotedLessons(database, mark, row.hasLessons);
  const isFirst = row.claim === 1 && row.eventNumber === 0 && row.mode !== 'tune';
  return {
    claim: { runId, claim: row.claim, idleClaims: row.idleClaims },
    experimentId: row.experimentId,
    untouched: isFirst ? untouchedRun(row) : null,
  };
}

async function isHeld({ pool }: Pick<Database, 'pool'>, runId: string, processId: string | null): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'is-held',
    text: `SELECT 1 FROM runs WHERE id = $1 AND ${performedBeside('$2')}`,
    values: [runId, processId],
  });
  return rows.length > 0;
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
