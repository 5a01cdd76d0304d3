import { z } from 'zod';
import type { ArmOf } from '#lib/compare/queries.ts';
import { criteriaForCase } from '#lib/core/case-criteria.ts';
import { getPassThreshold, meetsThreshold } from '#lib/core/score-evaluation.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { settingsOfVersion } from '#lib/experiments/version-settings.ts';
import { ENDED_RUN, OWN_RUN, SCORED_RUN } from '#lib/runs/list-runs.ts';
import { isSelfJudged } from '#lib/runs/run-facts.ts';
import { totalsOf } from '#lib/runs/run-measures.ts';
import { MAX_EQUAL_COST_CASES, type SpendTrajectory } from '#lib/statistics/equal-cost.ts';
import { CAP_STOPS, EARLY_STOPS, type Target } from '#lib/statistics/read-target.ts';
import { type Judgement, reviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import type { Reviewers } from './schema.ts';

/** Number of the last version within three iterations: after three revisions, or the third attempt. */
const WITHIN = { revise: 3, retry: 2, tune: 3 };

const armRow = z
  .object({
    experimentId: z.string(),
    version: z.int(),
    name: z.string(),
    origin: z.string(),
    settings: z.unknown(),
    /** True if any version of its ended runs was scored. Branches do not count. */
    scored: z.boolean(),
  })
  .transform((row) => {
    const settings = settingsOfVersion(row.experimentId, row.version, row.settings);
    return {
      ...row,
      settings,
      practice: isPractice(settings),
      selfJudged: isSelfJudged(settings),
      qualityThreshold: settings.qualityThreshold,
      within: WITHIN[settings.mode],
    };
  });
/** An experiment with the newest settings version that has ended runs. */
export type InsightArm = z.infer<typeof armRow>;

const LIST = `
  SELECT x.id AS "experimentId", v.version, x.name, x.origin, v.settings,
    coalesce((SELECT sum(scored_runs) FROM ${totalsOf('x.id', ['scored_runs'])} s), 0) > 0 AS scored
  FROM experiments x
  CROSS JOIN LATERAL (SELECT max(m.experiment_version) AS version FROM run_measures m WHERE m.experiment_id = x.id) t
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = t.version
  WHERE x.origin NOT IN ('trial', 'control')
  ORDER BY lower(x.name), x.id`;

/** Lists all experiments with insights, by name. Trials of lessons and controls are shown elsewhere. */
export async function listInsightArms({ prisma }: DatabaseClient): Promise<InsightArm[]> {
  return z.array(armRow).parse(await prisma.$queryRawUnsafe(LIST));
}

/** Arms, and the earliest end time of their runs. Null for all time. */
export type ArmsInTime<Arm = InsightArm> = { arms: readonly Arm[]; since: Date | null };
type NamedArm = ArmOf & { within?: number };

/** The arms as rows of `arms`, with their index. `$4` is the start time. See `armValues`. */
export const ARMS = `
  WITH arms AS (
    SELECT experiment_id, version, within, place::int - 1 AS place
    FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS a(experiment_id, version, within, place))`;

/**
 * Condition that a row belongs to arm `a`, by experiment and version. An experiment has one arm, so the version hardly filters. The CASE
 * prevents the planner from expecting few rows and looking up thousands one by one.
 */
export function ofArm(row: 'r' | 'm'): string {
  return `${row}.experiment_id = a.experiment_id AND CASE WHEN ${row}.experiment_version = a.version THEN true ELSE false END`;
}

/** Returns the first four parameters of a statement that begins with `ARMS`. */
export function armValues({ arms, since }: ArmsInTime<NamedArm>): unknown[] {
  return [
    arms.map(({ experimentId }) => experimentId),
    arms.map(({ version }) => version),
    arms.map(({ within }) => within ?? null),
    since,
  ];
}

/** Tolerance for numbers that are rounded to 6 decimals elsewhere. Smaller differences count as equal. */
const ROUNDING_TOLERANCE = '0.0000005';

/**
 * SQL conditions of each target: runs that count, and runs that meet it. `r` = runs, `m` = its row of run_measures. `a` has `within`, the
 * number of the last version within three iterations. The target of re-scores is excluded, because it does not depend on runs alone.
 */
export const TARGET_CONDITIONS: Record<Exclude<Target, 'scored_alike'>, { counts: string; met: string }> = {
  final_better: { counts: 'm.scored_versions >= 2', met: `m.last_score - m.first_score > ${ROUNDING_TOLERANCE}` },
  // A run without any score, for example because of an invalid API key, is no evidence of quality.
  within_three: { counts: 'm.scored_versions >= 1', met: 'm.solved_at <= a.within' },
  issues_resolved: { counts: 'm.issues_named > 0', met: 'm.issues_resolved = m.issues_named' },
  ended_by_rule: {
    // Excludes runs without any score: no rule can apply to them, and a cap ended them before any evaluation.
    counts: `m.scored_versions >= 1 AND r.convergence_reason IN (${listed([...EARLY_STOPS, ...CAP_STOPS])})`,
    met: `r.convergence_reason IN (${listed(EARLY_STOPS)})`,
  },
};

function listed(reasons: readonly StopReason[]): string {
  return reasons.map((reason) => `'${reason}'`).join(', ');
}

// The spend of a version includes its evaluation, and all critiques and lessons before it.
const SPEND_TRAJECTORIES = `
  WITH one AS (
    SELECT DISTINCT ON (r.case_key) r.id, r.case_key, r.satisfied, r.unpriced, ${SCORED_RUN} AS is_scored
    FROM runs r WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    ORDER BY r.case_key, ${SCORED_RUN} DESC, r.repetition, r.number LIMIT ${MAX_EQUAL_COST_CASES}),
  parts AS (
    SELECT run_id, number AS version, cost_usd, input_tokens + output_tokens AS tokens FROM reflection_versions WHERE run_id = ANY (ARRAY(SELECT id FROM one))
    UNION ALL SELECT run_id, version, cost_usd, input_tokens + output_tokens FROM evaluations WHERE run_id = ANY (ARRAY(SELECT id FROM one))
    UNION ALL SELECT run_id, version + 1, cost_usd, input_tokens + output_tokens FROM critiques WHERE run_id = ANY (ARRAY(SELECT id FROM one))
    UNION ALL SELECT run_id, version + 1, cost_usd, input_tokens + output_tokens FROM lessons WHERE run_id = ANY (ARRAY(SELECT id FROM one))),
  spent AS (
    SELECT run_id, version, sum(sum(coalesce(cost_usd, 0))) OVER w AS usd, sum(sum(tokens)) OVER w AS tokens
    FROM parts GROUP BY run_id, version WINDOW w AS (PARTITION BY run_id ORDER BY version))
  SELECT o.case_key AS "caseKey", o.satisfied, o.unpriced, o.is_scored AS "isScored", coalesce(json_agg(s.usd ORDER BY s.version) FILTER (WHERE s.version IS NOT NULL), '[]') AS usd,
    coalesce(json_agg(s.tokens ORDER BY s.version) FILTER (WHERE s.version IS NOT NULL), '[]') AS tokens
  FROM one o LEFT JOIN spent s ON s.run_id = o.id AND s.version < length(o.satisfied)
  GROUP BY o.case_key, o.satisfied, o.unpriced, o.is_scored`;

const rowsSchema = z.array(
  z.object({
    caseKey: z.string(),
    satisfied: z.string(),
    unpriced: z.boolean(),
    isScored: z.boolean(),
    usd: z.array(z.number()),
    tokens: z.array(z.number()),
  }),
);
/** Results by spend, in dollars and in tokens. Uses one run per case: the first one with a score, otherwise the first. */
type SpendTrajectories = { usd: SpendTrajectory[]; tokens: SpendTrajectory[]; isPriced: boolean };

/** Reads the results of an arm's cases by spend. `isPriced`: all calls had a price and the total is not zero. */
export async function listSpendTrajectories(
  { prisma }: DatabaseClient,
  { experimentId, version }: ArmOf,
): Promise<SpendTrajectories> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(SPEND_TRAJECTORIES, experimentId, version);
  const runs = rowsSchema.parse(rows);
  const courses = (unit: 'usd' | 'tokens') =>
    runs.map((run) => ({
      caseKey: run.caseKey,
      isScored: run.isScored,
      spent: run[unit],
      satisfactory: Array.from(run.satisfied, (mark) => mark === '1'),
    }));
  const scored = runs.filter(({ isScored }) => isScored);
  return {
    usd: courses('usd'),
    tokens: courses('tokens'),
    isPriced: scored.length > 0 && scored.every(({ unpriced, usd }) => !unpriced && (usd.at(-1) ?? 0) > 0),
  };
}

/** An equal-cost control with ended runs, and the arm that it controls. */
type ControlledArm = {
  experimentId: string;
  version: number;
  name: string;
  controlId: string;
  controlVersion: number;
};

/** Returns the newest equal-cost control of these experiments, or null if none has ended runs. */
export async function latestEqualCost(
  { prisma }: DatabaseClient,
  experimentIds: readonly string[],
): Promise<ControlledArm | null> {
  const controls = await prisma.experiment.findMany({
    where: { origin: 'control', control: 'equal_cost', parentId: { not: null }, parentVersion: { not: null } },
    select: { id: true, parentVersion: true, parent: { select: { id: true, name: true } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  const wanted = new Set(experimentIds);
  for (const { id, parent, parentVersion } of controls) {
    if (parent === null || parentVersion === null || !wanted.has(parent.id)) continue;
    const ended = await prisma.runMeasure.findFirst({
      where: { experimentId: id },
      select: { experimentVersion: true },
      orderBy: { experimentVersion: 'desc' },
    });
    if (ended === null) continue;
    const { id: experimentId, name } = parent;
    return { experimentId, version: parentVersion, name, controlId: id, controlVersion: ended.experimentVersion };
  }
  return null;
}

const STAMPS = `
  ${ARMS}
  SELECT string_agg(s.stamp, ',' ORDER BY a.place) AS stamp FROM arms a CROSS JOIN LATERAL (
    SELECT concat_ws(' ', count(*), sum(m.revision), bit_xor(m.revision)) AS stamp FROM run_measures m
    WHERE m.experiment_id = a.experiment_id AND m.experiment_version = a.version) s WHERE $4::timestamptz IS NULL`;

/** Returns a stamp for all time, which changes whenever a run of the arms changes. */
export async function stampOfArms({ prisma }: DatabaseClient, scope: ArmsInTime<NamedArm>): Promise<string> {
  const [found] = await prisma.$queryRawUnsafe<{ stamp: string | null }[]>(STAMPS, ...armValues(scope));
  return `${found?.stamp}`;
}

/** SQL conditions of a reading: runs that count, and runs that match. `ids` is parameter 5, `allIds` is parameter 6. */
export type ReadingConditions = { counts: string; holds: string; ids: string[]; allIds: string[] };

/** Numbers of the runs that match a reading, newest first, and the number of runs that count for it. */
export type ReadingRuns = { numbers: Int32Array; counts: number };

/** Finds the runs of some arms that match a reading. */
export async function findReadingRuns(
  { prisma }: DatabaseClient,
  scope: ArmsInTime,
  { counts, holds, ids, allIds }: ReadingConditions,
): Promise<ReadingRuns> {
  const [found] = await prisma.$queryRawUnsafe<{ counts: number; numbers: number[] | null }[]>(
    `${ARMS}
     SELECT count(*)::int AS counts, array_agg(c.number ORDER BY c.number DESC) FILTER (WHERE c.holds) AS numbers FROM (
       SELECT r.number, ${holds} AS holds
       FROM arms a JOIN runs r ON ${ofArm('r')} JOIN run_measures m ON m.run_id = r.id
       WHERE ${OWN_RUN} AND ($4::timestamptz IS NULL OR m.ended_at >= $4) AND $5::uuid[] IS NOT NULL AND $6::uuid[] IS NOT NULL AND ${counts}) c`,
    ...[...armValues(scope), ids, allIds],
  );
  return { counts: found?.counts ?? 0, numbers: Int32Array.from(found?.numbers ?? []) };
}

/** Maximum number of judgements of each kind, the newest. More would not change the result. */
const MAX_JUDGEMENTS = 20_000;

const judgements = z.array(
  z.object({ thing: z.string(), person: z.string(), name: z.string(), says: z.enum(['yes', 'no', 'tie']) }),
);

/** Opinions on lessons, separately for each text. `lessonId` null: of all lessons. */
const OPINIONS = `
  SELECT lesson_id || ' ' || edit AS thing, actor_id AS person, actor AS name,
    CASE verdict WHEN 'promote' THEN 'yes' ELSE 'no' END AS says
  FROM lesson_opinions WHERE $1::uuid IS NULL OR lesson_id = $1 ORDER BY created_at DESC LIMIT $2`;

/**
 * Scores that people gave versions, with what defines their threshold. People are identified by their unique names. `criteria`: the scored
 * criterion, empty if the whole version was scored.
 */
const SCORES = `
  SELECT d.run_id || ' ' || d.version || ' ' || coalesce(d.criterion, '') AS thing, d.actor AS person, d.actor AS name, d.score, d.criterion,
    (s.settings->>'qualityThreshold')::float8 AS "qualityThreshold", r.criteria AS "caseCriteria",
    coalesce((SELECT jsonb_agg(jsonb_build_object('name', c->'name', 'weight', 1, 'threshold', c->'threshold'))
      FROM jsonb_array_elements(s.settings->'criteria') AS c WHERE c->>'name' = d.criterion), '[]') AS criteria
  FROM decisions d
  JOIN runs r ON r.id = d.run_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  WHERE d.by = 'person' AND d.decision IN ('score', 'override') AND d.score IS NOT NULL AND d.version IS NOT NULL
    AND d.actor IS NOT NULL AND ($1::uuid IS NULL OR r.experiment_id = $1)
  ORDER BY d.at DESC LIMIT $2`;

const scores = z.array(
  z
    .object({
      thing: z.string(),
      person: z.string(),
      name: z.string(),
      score: z.number(),
      criterion: z.string().nullable(),
      qualityThreshold: z.number(),
      caseCriteria: criteriaColumn,
      criteria: z.array(z.object({ name: z.string(), weight: z.number(), threshold: z.number().nullable() })),
    })
    .transform(({ thing, person, name, score, criterion, caseCriteria, ...own }): Judgement => {
      const qualityThreshold = caseCriteria?.qualityThreshold ?? own.qualityThreshold;
      const scored = criteriaForCase(own.criteria, { criteria: caseCriteria }).find((one) => one.name === criterion);
      const threshold = scored === undefined ? qualityThreshold : getPassThreshold(scored, { qualityThreshold });
      return { thing, person, name, says: meetsThreshold(score, threshold) ? 'yes' : 'no' };
    }),
);

/** Blind choices between two versions: `yes` if the earlier one was chosen. */
const PREFERENCES = `
  SELECT run_id || ' ' || first_version || ' ' || second_version AS thing, actor_id AS person, actor AS name,
    CASE WHEN choice = 'tie' THEN 'tie' WHEN (choice = 'left') = (left_version = first_version) THEN 'yes' ELSE 'no' END AS says
  FROM preferences WHERE $1::uuid IS NULL OR experiment_id = $1 ORDER BY at DESC LIMIT $2`;

const QUERIES = {
  opinions: { text: OPINIONS, rows: judgements },
  scores: { text: SCORES, rows: scores },
  preferences: { text: PREFERENCES, rows: judgements },
};
type JudgementSort = keyof typeof QUERIES;

/** Lists judgements, oldest first. `of` is the lesson for opinions, otherwise the experiment. Null for all. */
async function listJudgements(
  { prisma }: DatabaseClient,
  sort: JudgementSort,
  of: string | null,
): Promise<Judgement[]> {
  const { text, rows } = QUERIES[sort];
  return rows.parse(await prisma.$queryRawUnsafe(text, of, MAX_JUDGEMENTS)).toReversed();
}

/** Returns the agreement of reviewers over all experiments or for one. Opinions on lessons are always over all. */
export async function findReviewers(
  database: DatabaseClient,
  { experimentId }: { experimentId: string | null },
): Promise<Reviewers> {
  const [opinions, scores, preferences] = await Promise.all([
    listJudgements(database, 'opinions', null),
    listJudgements(database, 'scores', experimentId),
    listJudgements(database, 'preferences', experimentId),
  ]);
  return {
    opinions: reviewerAgreement(opinions),
    scores: reviewerAgreement(scores),
    preferences: reviewerAgreement(preferences),
  };
}
