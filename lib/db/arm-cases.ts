import { z } from 'zod';
import type { Database } from './database.ts';
import { ENDED_RUN, OWN_RUN, TELLING_RUN } from './find-arm.ts';

/** An experiment at a version of its settings. */
export type ArmOf = { experimentId: string; version: number };

const caseRow = z
  .tuple([z.string(), z.string(), z.int(), z.int(), z.number().nullable(), z.number().nullable(), z.number()])
  .transform(([caseKey, title, runs, judged, solved, score, costUsd]) => ({
    ...{ caseKey, title, runs, judged, solved, score, costUsd },
  }));
const caseRows = z.array(caseRow);
/**
 * What an arm made of one case by its `runs`: the share that solved it of those that were `judged`, the mean of the best scores (those
 * that have none left out), each null where there is none, and the mean cost of a run. A run counts as judged that was scored, or that a
 * person accepted. `title`: the beginning of the input.
 */
export type ListedArmCase = z.infer<typeof caseRow>;

// One JSON list: read in one piece it costs far less than thousands of rows.
const LIST = `
  SELECT coalesce(json_agg(json_build_array(c.key, c.title, c.runs, c.judged, c.solved, c.score, c.cost) ORDER BY c.place), '[]') AS cases
  FROM (
    SELECT r.case_key AS key, min(left(r.input, 160)) AS title, count(*)::int AS runs,
      count(*) FILTER (WHERE ${TELLING_RUN})::int AS judged, (avg(r.success::int) FILTER (WHERE ${TELLING_RUN}))::float8 AS solved,
      avg(r.best_score) AS score, avg(r.cost_usd) AS cost, min(r.number) AS place
    FROM runs r
    WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    GROUP BY r.case_key) c`;

/** The cases of an arm whose runs have ended, in the order they were first run. */
export async function listArmCases(
  { pool }: Pick<Database, 'pool'>,
  { experimentId, version }: ArmOf,
): Promise<ListedArmCase[]> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list-arm-cases',
    text: LIST,
    values: [experimentId, version],
  });
  return caseRows.parse(rows[0]?.cases);
}

// A run that wrote no more versions than it may is as it was; a longer one is as its first versions were, and none of these may be scored. No row where a run has no measures.
const CUT = `
  SELECT CASE WHEN count(*) FILTER (WHERE c.unmeasured) > 0 THEN NULL ELSE
    coalesce(json_agg(json_build_array(c.key, '', c.runs, c.judged, c.solved, c.score, 0) ORDER BY c.place), '[]') END AS cases
  FROM (
    SELECT r.case_key AS key, count(*)::int AS runs, bool_or(m.run_id IS NULL) AS unmeasured, min(r.number) AS place,
      count(t.solved)::int AS judged, avg(t.solved::int)::float8 AS solved, avg(s.best) AS score
    FROM runs r LEFT JOIN run_measures m ON m.run_id = r.id
    CROSS JOIN LATERAL (SELECT CASE WHEN r.version_count <= $3 THEN r.best_score ELSE (
      SELECT max(s.score::float8) FROM jsonb_array_elements_text(m.scores) WITH ORDINALITY AS s(score, place) WHERE s.place <= $3) END AS best) s
    CROSS JOIN LATERAL (SELECT CASE WHEN r.version_count <= $3 THEN CASE WHEN ${TELLING_RUN} THEN r.success END
      WHEN s.best IS NOT NULL THEN coalesce(m.solved_at, $3) < $3 END AS solved) t
    WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    GROUP BY r.case_key) c`;

/**
 * The same cases as if each run had ended after its first `versions` versions, by the scores these have. Null while the measures of some
 * run are still to be worked out. Titles and costs are left out.
 */
export async function listCutArmCases(
  { pool }: Pick<Database, 'pool'>,
  { experimentId, version }: ArmOf,
  versions: number,
): Promise<ListedArmCase[] | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list-cut-arm-cases',
    text: CUT,
    values: [experimentId, version, versions],
  });
  return caseRows.nullable().parse(rows[0]?.cases);
}
