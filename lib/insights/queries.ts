import { z } from 'zod';
import type { ArmOf } from '#lib/compare/queries.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import type { Database } from '#lib/database/database.ts';
import { settingsOfVersion } from '#lib/experiments/version-settings.ts';
import { ENDED_RUN, OWN_RUN, SCORED_RUN } from '#lib/runs/list-runs.ts';
import { totalsOf } from '#lib/runs/measures.ts';
import { isSelfJudged } from '#lib/runs/run-facts.ts';
import { MOST_EQUAL_COST_CASES, type SpendCourse } from '#lib/statistics/equal-cost.ts';
import { CAP_STOPS, EARLY_STOPS, type Target } from '#lib/statistics/read-target.ts';
import { type Judgement, reviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import type { Reviewers } from './schema.ts';

/** The last version that is still within three iterations: after three revisions, or the third attempt. */
const WITHIN = { revise: 3, retry: 2, tune: 3 };

const armRow = z
  .object({
    experimentId: z.string(),
    version: z.int(),
    name: z.string(),
    origin: z.string(),
    settings: z.unknown(),
    /** Whether any version of any ended run of its own was scored. */
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
/** An experiment at the newest version of its settings under which runs have ended. */
export type InsightArm = z.infer<typeof armRow>;

const LIST = `
  SELECT x.id AS "experimentId", v.version, x.name, x.origin, v.settings,
    coalesce((SELECT sum(scored_runs) FROM ${totalsOf('x.id', ['scored_runs'])} s), 0) > 0 AS scored
  FROM experiments x
  CROSS JOIN LATERAL (SELECT max(m.experiment_version) AS version FROM run_measures m WHERE m.experiment_id = x.id) t
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = t.version
  WHERE x.origin NOT IN ('trial', 'control')
  ORDER BY lower(x.name), x.id`;

/** All experiments that insights can speak of, by name. Trials of lessons and controls are told of where they belong. */
export async function listInsightArms({ prisma }: Pick<Database, 'prisma'>): Promise<InsightArm[]> {
  return z.array(armRow).parse(await prisma.$queryRawUnsafe(LIST));
}

/** Arms, and from when on their runs must have ended; null: since ever. */
export type ArmsInTime<Arm = InsightArm> = { arms: readonly Arm[]; since: Date | null };
type NamedArm = ArmOf & { within?: number };

/** The arms as rows of `arms`, with their place; the moment is `$4`. See `armValues`. */
export const ARMS = `
  WITH arms AS (
    SELECT experiment_id, version, within, place::int - 1 AS place
    FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS a(experiment_id, version, within, place))`;

/**
 * Whether a row belongs to arm `a`, by its experiment and version. An experiment has one arm, so the version hardly narrows it down: the CASE
 * keeps the planner from expecting few rows, and from looking thousands up one by one.
 */
export function ofArm(row: 'r' | 'm'): string {
  return `${row}.experiment_id = a.experiment_id AND CASE WHEN ${row}.experiment_version = a.version THEN true ELSE false END`;
}

/** The first four values of a statement that begins with `ARMS`. */
export function armValues({ arms, since }: ArmsInTime<NamedArm>): unknown[] {
  return [
    arms.map(({ experimentId }) => experimentId),
    arms.map(({ version }) => version),
    arms.map(({ within }) => within ?? null),
    since,
  ];
}

/** Numbers that are rounded to 6 decimals elsewhere: what differs by less is the same. */
const MORE = '0.0000005';

/**
 * Whether a run counts for a target, and whether it meets it: `r` = runs, `m` = its row of run_measures, `a` has `within`, the number of
 * the last version that is still within three iterations. The target of re-scores is not one of runs alone.
 */
export const TARGET_CONDITIONS: Record<Exclude<Target, 'scored_alike'>, { counts: string; met: string }> = {
  final_better: { counts: 'm.scored_versions >= 2', met: `m.last_score - m.first_score > ${MORE}` },
  // A run of which nothing was scored, as where a provider refuses the key, says nothing of quality.
  within_three: { counts: 'm.scored_versions >= 1', met: 'm.solved_at <= a.within' },
  issues_resolved: { counts: 'm.issues_named > 0', met: 'm.issues_resolved = m.issues_named' },
  ended_by_rule: {
    // Neither good enough nor of no use: no rule can tell, and a cap that ended it came before anything was judged.
    counts: `m.scored_versions >= 1 AND r.convergence_reason IN (${listed([...EARLY_STOPS, ...CAP_STOPS])})`,
    met: `r.convergence_reason IN (${listed(EARLY_STOPS)})`,
  },
};

function listed(reasons: readonly StopReason[]): string {
  return reasons.map((reason) => `'${reason}'`).join(', ');
}

// What a version needed is what it and its judgement cost, and all critiques and lessons before it.
const COURSES = `
  WITH one AS (
    SELECT DISTINCT ON (r.case_key) r.id, r.case_key, r.satisfied, r.unpriced, ${SCORED_RUN} AS is_scored
    FROM runs r WHERE r.experiment_id = $1 AND r.experiment_version = $2 AND ${ENDED_RUN} AND ${OWN_RUN}
    ORDER BY r.case_key, ${SCORED_RUN} DESC, r.repetition, r.number LIMIT ${MOST_EQUAL_COST_CASES}),
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
/** How the first run of each case that is scored, else the first, went, by what it spent in dollars and in tokens. */
type SpendCourses = { usd: SpendCourse[]; tokens: SpendCourse[]; isPriced: boolean };

/** Reads how an arm's cases went by what was spent on them; `isPriced`: all was, and something cost anything. */
export async function spendCourses(
  { prisma }: Pick<Database, 'prisma'>,
  { experimentId, version }: ArmOf,
): Promise<SpendCourses> {
  const rows = await prisma.$queryRawUnsafe<unknown[]>(COURSES, experimentId, version);
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

/** An equal-cost control that has ended runs, with the arm it is the control of. */
type ControlledArm = {
  experimentId: string;
  version: number;
  name: string;
  controlId: string;
  controlVersion: number;
};

/** The newest equal-cost control of one of these experiments; null where none has ended runs. */
export async function latestEqualCost(
  { prisma }: Pick<Database, 'prisma'>,
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

/** Of all time: another text once a run of the arms has changed. */
export async function stampOfArms({ prisma }: Pick<Database, 'prisma'>, scope: ArmsInTime<NamedArm>): Promise<string> {
  const [found] = await prisma.$queryRawUnsafe<{ stamp: string | null }[]>(STAMPS, ...armValues(scope));
  return `${found?.stamp}`;
}

/** Which runs count for a reading and which read so, in SQL; `ids` is its parameter 5, `allIds` its parameter 6. */
export type ReadingConditions = { counts: string; holds: string; ids: string[]; allIds: string[] };

/** The numbers of the runs that read so, newest first, and how many runs could read so or otherwise. */
export type ReadingRuns = { numbers: Int32Array; counts: number };

/** The runs of some arms that read in one way. */
export async function findReadingRuns(
  { prisma }: Pick<Database, 'prisma'>,
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

/** Of so many of the newest words of each sort; more say nothing else. */
const MOST_JUDGEMENTS = 20_000;

const judgements = z.array(
  z.object({ thing: z.string(), person: z.string(), name: z.string(), says: z.enum(['yes', 'no', 'tie']) }),
);

/** What people think of lessons, each text by itself; `lessonId` null: of all. */
const OPINIONS = `
  SELECT lesson_id || ' ' || edit AS thing, actor_id AS person, actor AS name,
    CASE verdict WHEN 'promote' THEN 'yes' ELSE 'no' END AS says
  FROM lesson_opinions WHERE $1::uuid IS NULL OR lesson_id = $1 ORDER BY created_at DESC LIMIT $2`;

/**
 * The scores that people gave versions: at the threshold of the run's settings or below it. People are told apart by their names, which
 * are unique.
 */
const SCORES = `
  SELECT d.run_id || ' ' || d.version || ' ' || coalesce(d.criterion, '') AS thing, d.actor AS person, d.actor AS name,
    CASE WHEN d.score >= (s.settings->>'qualityThreshold')::float8 THEN 'yes' ELSE 'no' END AS says
  FROM decisions d
  JOIN runs r ON r.id = d.run_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  WHERE d.by = 'person' AND d.decision IN ('score', 'override') AND d.score IS NOT NULL AND d.version IS NOT NULL
    AND d.actor IS NOT NULL AND ($1::uuid IS NULL OR r.experiment_id = $1)
  ORDER BY d.at DESC LIMIT $2`;

/** Which of two versions people picked who saw them blind: whether the earlier one. */
const PREFERENCES = `
  SELECT run_id || ' ' || first_version || ' ' || second_version AS thing, actor_id AS person, actor AS name,
    CASE WHEN choice = 'tie' THEN 'tie' WHEN (choice = 'left') = (left_version = first_version) THEN 'yes' ELSE 'no' END AS says
  FROM preferences WHERE $1::uuid IS NULL OR experiment_id = $1 ORDER BY at DESC LIMIT $2`;

const QUERIES = { opinions: OPINIONS, scores: SCORES, preferences: PREFERENCES };
type JudgementSort = keyof typeof QUERIES;

/** What people said, oldest first. `of`: the lesson that opinions are of, else the experiment; null: all. */
async function listJudgements(
  { prisma }: Pick<Database, 'prisma'>,
  sort: JudgementSort,
  of: string | null,
): Promise<Judgement[]> {
  return judgements.parse(await prisma.$queryRawUnsafe(QUERIES[sort], of, MOST_JUDGEMENTS)).toReversed();
}

/** How far reviewers agree over all experiments, or on one; opinions on lessons are of all. */
export async function findReviewers(
  database: Pick<Database, 'prisma'>,
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
