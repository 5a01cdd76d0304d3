import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { type CountedShare, summedShare } from '#lib/statistics/shares.ts';
import { SCORED_RUN } from './list-runs.ts';

type StoredEvent = { number: number; type: string; data: unknown; at: string };

/** A run's events after a number, in order. */
export async function listRunEvents(
  database: Database,
  runId: string,
  afterNumber: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await database.prisma.runEvent.findMany({
    where: { runId, number: { gt: afterNumber } },
    orderBy: { number: 'asc' },
    take: limit,
  });
  return rows.map(({ number, type, data, at }) => ({ number, type, data, at: at.toISOString() }));
}

/** The number of the first event that is kept of a run, or of the next one where none is; null where there is no such run. */
export async function firstEventNumber({ pool }: Pick<Database, 'pool'>, runId: string): Promise<number | null> {
  const { rows } = await pool.query<{ first: number }>({
    name: 'first-event-number',
    text: 'SELECT coalesce((SELECT min(number) FROM run_events WHERE run_id = $1), event_number + 1) AS first FROM runs WHERE id = $1',
    values: [runId],
  });
  return rows[0]?.first ?? null;
}

/**
 * What the runs of one version of an experiment's settings came to. `solved`: of those that ended, how many had a satisfactory version; runs
 * of which nothing was scored are left out.
 */
type VersionOutcome = { version: number; runs: number; solved: CountedShare };

/** Runs of one case are alike, so each case is counted by itself first. */
const OUTCOMES = `
  WITH cases AS (
    SELECT experiment_version, case_key, count(*)::int AS runs, count(*) FILTER (WHERE c.counts)::int AS o,
      count(*) FILTER (WHERE c.counts AND strpos(satisfied, '1') > 0)::int AS m
    FROM runs r CROSS JOIN LATERAL (SELECT r.finished_at IS NOT NULL AND ${SCORED_RUN} AS counts) c
    WHERE experiment_id = $1 AND branched_from_version IS NULL GROUP BY 1, 2)
  SELECT experiment_version AS version, sum(runs)::int AS runs, json_build_object('met', sum(m), 'of', sum(o),
    'clusters', count(*) FILTER (WHERE o > 0), 'metMet', sum(m * m), 'metOf', sum(m * o), 'ofOf', sum(o * o)) AS sums
  FROM cases GROUP BY 1`;

const count = z.int().min(0);
const row = z.object({
  version: count,
  runs: count,
  sums: z.object({ met: count, of: count, clusters: count, metMet: count, metOf: count, ofOf: count }),
});

/** What the runs of each version came to, branches left out; versions that were not run are missing. */
export async function listVersionOutcomes(database: Database, experimentId: string): Promise<VersionOutcome[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'version-outcomes',
    text: OUTCOMES,
    values: [experimentId],
  });
  return rows.map((found) => {
    const { version, runs, sums } = row.parse(found);
    return { version, runs, solved: summedShare(sums) };
  });
}
