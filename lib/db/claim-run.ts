import type { Database } from './database.ts';
import { HAS_PROMOTED_LESSONS, noteHasPromotedLessons } from './has-promoted-lessons.ts';
import { type StoredRun, untouchedRun } from './load-run.ts';

/** Proof of being the run's only worker: every save must quote it. */
export type Claim = { runId: string; claim: number; idleClaims: number };
/** A run's first worker gets the run along with the claim: nothing but its row is stored yet. Later ones, and those of tuning runs, must read it. */
export type ClaimedRun = { claim: Claim; experimentId: string; untouched: StoredRun | null };

const CLAIM = `
  WITH claimed AS (
    UPDATE runs SET claim = claim + 1, claimed_by = $3, idle_claims = idle_claims + 1, status = 'running', started_at = coalesce(started_at, $2)
    WHERE id = $1 AND status IN ('queued', 'running') RETURNING *)
  SELECT r.claim, r.idle_claims, r.event_number, r.experiment_id, s.settings->>'mode' AS mode, ${HAS_PROMOTED_LESSONS} AS has_lessons, to_json(r) AS run, e.name AS experiment_name, s.settings
  FROM claimed r
  JOIN experiments e ON e.id = r.experiment_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version`;

type ClaimRow = {
  claim: number;
  idle_claims: number;
  event_number: number;
  experiment_id: string;
  mode: string;
  has_lessons: boolean;
};

/** Takes a run that is queued, or was left running by another worker, for a process; null when there is nothing to perform. */
export async function claimRun(
  database: Database,
  runId: string,
  now: Date,
  processId: string | null = null,
): Promise<ClaimedRun | null> {
  const { rows } = await database.pool.query<ClaimRow>({
    name: 'claim-run',
    text: CLAIM,
    values: [runId, now, processId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  noteHasPromotedLessons(database, row.has_lessons);
  const isFirst = row.claim === 1 && row.event_number === 0 && row.mode !== 'tune';
  return {
    claim: { runId, claim: row.claim, idleClaims: row.idle_claims },
    experimentId: row.experiment_id,
    untouched: isFirst ? untouchedRun(row) : null,
  };
}

/** Gives a claim back in good order (the worker stops), so that it does not count as a crash. */
export async function releaseClaim(database: Database, claim: Claim): Promise<void> {
  await database.pool.query('UPDATE runs SET idle_claims = 0 WHERE id = $1 AND claim = $2', [claim.runId, claim.claim]);
}

/** Whether nobody else has claimed the run since. */
export async function holdsClaim({ pool }: Pick<Database, 'pool'>, { runId, claim }: Claim): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'holds-claim',
    text: 'SELECT 1 FROM runs WHERE id = $1 AND claim = $2',
    values: [runId, claim],
  });
  return rows.length > 0;
}
