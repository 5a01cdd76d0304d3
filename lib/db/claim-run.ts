import type { Database } from './database.ts';

/** Proof of being the run's only worker: every save must quote it. */
export type Claim = { runId: string; claim: number; idleClaims: number };

const CLAIM = `
  UPDATE runs SET claim = claim + 1, idle_claims = idle_claims + 1, status = 'running', started_at = coalesce(started_at, $2)
  WHERE id = $1 AND status IN ('queued', 'running')
  RETURNING claim, idle_claims`;

/** Takes a run that is queued, or was left running by another worker; null when there is nothing to perform. */
export async function claimRun(database: Database, runId: string, now: Date): Promise<Claim | null> {
  const { rows } = await database.pool.query<{ claim: number; idle_claims: number }>({
    name: 'claim-run',
    text: CLAIM,
    values: [runId, now],
  });
  return rows[0] === undefined ? null : { runId, claim: rows[0].claim, idleClaims: rows[0].idle_claims };
}

/** Gives a claim back in good order (the worker stops), so that it does not count as a crash. */
export async function releaseClaim(database: Database, claim: Claim): Promise<void> {
  await database.pool.query('UPDATE runs SET idle_claims = 0 WHERE id = $1 AND claim = $2', [claim.runId, claim.claim]);
}
