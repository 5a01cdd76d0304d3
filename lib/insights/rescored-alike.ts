import { z } from 'zod';
import { overallOf } from '#lib/core/score-evaluation.ts';
import type { Database } from '#lib/database/database.ts';
import { OWN_RUN } from '#lib/runs/list-runs.ts';
import { withoutPeople } from '#lib/runs/schema.ts';
import { reportRescores } from '#lib/statistics/rescore-report.ts';
import { ARMS, type ArmsInTime, armValues, ofArm } from './queries.ts';

/** Re-scores of an arm's runs that can be held against the run's own score: `met` of `of` lie within 0.1, over so many `outputs`. */
export type RescoredAlike = {
  met: number;
  of: number;
  outputs: number;
  largestDistance: number | null;
  /** Runs with a re-score, and those of them where one lies further off. */
  runIds: string[];
  partedRunIds: string[];
};

/** More than people ask for in years; each is held against its version's own score. */
const MOST_RESCORES = 20_000;

const LIST = `
  ${ARMS}
  SELECT a.place, s.run_id AS "runId", s.version, e.criteria_scores AS own, json_agg(s.overall_score) AS scores
  FROM (SELECT * FROM rescores WHERE status = 'scored' AND overall_score IS NOT NULL ORDER BY requested_at DESC LIMIT ${MOST_RESCORES}) s
  JOIN runs r ON r.id = s.run_id AND ${OWN_RUN}
  JOIN arms a ON ${ofArm('r')}
  JOIN run_measures m ON m.run_id = r.id AND ($4::timestamptz IS NULL OR m.ended_at >= $4)
  CROSS JOIN LATERAL (
    SELECT criteria_scores FROM evaluations WHERE run_id = s.run_id AND version = s.version AND by = 'machine'
    ORDER BY (status = 'scored') DESC, ordinal LIMIT 1) e
  GROUP BY a.place, s.run_id, s.version, e.criteria_scores`;

const rowsSchema = z.array(
  z.object({
    place: z.int(),
    runId: z.string(),
    version: z.int(),
    own: z.record(z.string(), z.number().nullable()),
    scores: z.array(z.number()),
  }),
);

/** How alike the re-scores of outputs came out, one for each arm. What only people score is left out of both sides. */
export async function rescoredAlike({ pool }: Pick<Database, 'pool'>, scope: ArmsInTime): Promise<RescoredAlike[]> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'rescored-alike',
    text: LIST,
    values: armValues(scope),
  });
  const outputs = rowsSchema.parse(rows);
  return scope.arms.map(({ settings }, place) => {
    const judged = withoutPeople(settings);
    const spreads = outputs
      .filter((output) => output.place === place)
      .flatMap(({ runId, version, own, scores }) => {
        const first = overallOf(judged, own);
        if (first === null) return [];
        const rescores = scores.map((overallScore) => ({ ...RESCORE, version, overallScore }));
        const [spread] = reportRescores(version, rescores, { overallScore: first, criteriaScores: own }, []).spreads;
        return spread === undefined ? [] : [{ ...spread, runId, first }];
      });
    const parted = spreads.filter(({ n, within }) => within < n);
    return {
      met: spreads.reduce((sum, { within }) => sum + within, 0),
      of: spreads.reduce((sum, { n }) => sum + n, 0),
      outputs: spreads.length,
      largestDistance:
        spreads.length === 0
          ? null
          : Math.max(
              ...spreads.map(({ first, lowest, highest }) =>
                Math.max(first - (lowest ?? first), (highest ?? first) - first),
              ),
            ),
      runIds: [...new Set(spreads.map(({ runId }) => runId))],
      partedRunIds: [...new Set(parted.map(({ runId }) => runId))],
    };
  });
}

/** How many re-scores gave a score, of all runs: another one where what `rescoredAlike` says may be another. */
export async function countRescores({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count-rescores',
    text: `SELECT count(*)::int AS count FROM rescores WHERE status = 'scored'`,
  });
  return rows[0]?.count ?? 0;
}

const RESCORE = { status: 'scored', criteriaScores: {}, message: null, tokens: 0, costUsd: 0 } as const;
