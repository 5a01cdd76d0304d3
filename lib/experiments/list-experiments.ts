import { z } from 'zod';
import { BASE_TYPES } from '#lib/core/agents/base-settings.ts';
import { namedModels } from '#lib/core/named-models.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { shortModel } from '#lib/core/targets/target-model.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf, readTimeCursor, timeCursor, withIsoTimes } from '#lib/database/query-values.ts';
import { count, id, scores, time } from '#lib/http/fields.ts';
import { SCORES_OF_RUN } from '#lib/runs/list-runs.ts';
import { isSelfJudged } from '#lib/runs/run-facts.ts';
import { SHOWN_AMOUNTS, totalsOf } from '#lib/runs/run-measures.ts';
import { costPerPoint, trajectorySpread } from '#lib/statistics/batch-report.ts';
import {
  experimentFlagSchema,
  experimentFlags,
  MIN_FLAGGED_RUNS,
  PASSING_SHARE,
} from '#lib/statistics/experiment-flags.ts';
import type { ExperimentFilter, ExperimentSort, ExperimentState } from './schema.ts';
import { controlKindSchema, experimentOriginSchema, settingsOfVersion } from './version-settings.ts';

/** SQL condition that is true if settings `v` use the practice model. */
export const IS_PRACTICE = `('practice' IN (v.settings->'generator'->>'provider', v.settings->'reflectionModel'->>'provider',
  v.settings->'evaluatorModel'->>'provider', v.settings->'embeddingModel'->>'provider', v.settings->'lessons'->'embeddings'->>'provider',
  v.settings->'lessons'->'check'->>'provider')
  OR (v.settings->>'mode' = 'tune' AND v.settings->'tune'->'parameters'->'models' @> '[{"provider": "practice"}]'))`;

const STATES: Record<ExperimentState, string> = {
  waiting: 't.waiting > 0',
  under_way: 't."underWay" > 0',
  flagged: `(t.unscorable >= ${MIN_FLAGGED_RUNS} OR (t.judged >= ${MIN_FLAGGED_RUNS} AND (t.ever = 0 OR t.first * 100 >= t.judged * ${PASSING_SHARE * 100})))`,
};

/** ORDER BY expression per sort order. Ties are sorted newest first. */
const EXPERIMENT_ORDERS: Record<Exclude<ExperimentSort, 'newest'>, string> = {
  needs_you: 't.waiting > 0 DESC, t."lastRunAt" DESC NULLS LAST',
  last_run: 't."lastRunAt" DESC NULLS LAST',
  success: 't.solved::float8 / nullif(t.ended, 0) DESC NULLS LAST',
  best_score: 't.best DESC NULLS LAST',
  cost_per_point: 'CASE WHEN t.gained > 0 THEN t."costUsd" / t.gained END ASC NULLS LAST',
  name: 'lower(x.name)',
};

/**
 * Returns the conditions of a filter over `x` = experiments, `v` = their latest version, `t` = the sums over their runs. Appends the
 * compared values to `values`.
 */
function experimentConditions(filter: ExperimentFilter, values: unknown[]): string[] {
  const conditions: string[] = [];
  const where = (condition: string, value: unknown) => {
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  const { search, mode, model, origin, models, state } = filter;
  if (search !== '')
    where(
      "x.name ILIKE '%' || ? || '%'",
      search.replace(/[\\%_]/g, (special) => `\\${special}`),
    );
  if (mode !== null) where("v.settings->>'mode' = ?", mode);
  if (model !== null) where("v.settings->'generator'->>'model' = ?", model);
  if (origin === 'sample') conditions.push('x.sample');
  else if (origin !== null) where('NOT x.sample AND x.origin = ?', origin);
  if (models !== null) conditions.push(models === 'practice' ? IS_PRACTICE : `(${IS_PRACTICE}) IS NOT TRUE`);
  if (state !== null) conditions.push(STATES[state]);
  return conditions;
}

const statistic = z.object({ mean: z.number(), n: count }).nullable();

/** An experiment in a list, with results of its runs. */
export const experimentListItemSchema = z.object({
  id,
  name: z.string(),
  sample: z.boolean(),
  origin: experimentOriginSchema,
  control: controlKindSchema.nullable(),
  mode: z.string(),
  base: z
    .enum(BASE_TYPES)
    .meta({ description: 'How an attempt is made: one call, an agent with tools, or a supervisor with workers.' }),
  models: z.array(z.string()),
  latestVersion: count,
  runCount: count,
  ended: count.meta({ description: 'Number of ended runs that have a score or that a person accepted.' }),
  unscored: count.meta({
    description: 'Number of ended runs without any score that no person accepted. `ended` does not include them.',
  }),
  solved: count,
  waiting: count.meta({ description: 'Runs that wait for a person.' }),
  underWay: count.meta({ description: 'Runs that are queued or running.' }),
  flag: experimentFlagSchema.shape.flag.nullable(),
  dataset: z.string().nullable().meta({ description: 'Dataset of the newest batch.' }),
  mayRepeatCases: z
    .boolean()
    .meta({ description: 'True if several runs may use the same case. Such runs are not independent.' }),
  firstScore: statistic,
  bestScore: statistic,
  costUsd: z.number(),
  unpriced: z.boolean(),
  costPerPointUsd: z
    .number()
    .nullable()
    .meta({ description: 'Cost of a gain of 0.10 in score. Null if there was no gain.' }),
  qualityThreshold: z.number(),
  lastRunAt: time.nullable(),
  practice: z.boolean(),
  selfJudged: z.boolean().meta({ description: 'True if a model that writes outputs also judges them.' }),
  recentScores: scores,
  meanScores: scores.meta({
    description: 'Mean score of each version, over the newest ended runs of the latest settings.',
  }),
  createdAt: time,
});
export type ExperimentRow = z.infer<typeof experimentListItemSchema>;

const mean = z
  .object({ mean: z.number().nullable(), n: z.int() })
  .transform(({ mean, n }) => (mean === null ? null : { mean, n }));
const experimentRow = experimentListItemSchema
  .omit({ mode: true, base: true, models: true, practice: true, selfJudged: true, qualityThreshold: true })
  .omit({ flag: true, costPerPointUsd: true, meanScores: true })
  .extend({
    firstScore: mean,
    bestScore: mean,
    gained: z.number(),
    settings: z.unknown(),
    judged: count,
    unscorable: count,
    ever: count,
    first: count,
    // Not validated, because it can contain thousands of numbers and comes from the query below.
    courses: z.custom<{ scores: (number | null)[]; caseKey: string }[]>(),
  })
  .transform(({ settings, judged, unscorable, ever, first, courses, gained, ...row }) => ({
    ...row,
    ...shownOf(settingsOfVersion(row.id, row.latestVersion, settings)),
    costPerPointUsd: costPerPoint({
      costUsd: row.costUsd,
      gain: row.bestScore && { mean: gained / row.bestScore.n, n: row.bestScore.n },
    }),
    flag:
      experimentFlags({ runs: judged, unscored: unscorable, everSatisfactory: ever, firstSatisfactory: first })[0]
        ?.flag ?? null,
    meanScores: trajectorySpread(courses).map((point) => point.mean),
  }));

function shownOf(settings: ExperimentSettings) {
  return {
    mode: settings.mode,
    base: settings.generator.base.type,
    models: [...new Set(namedModels(settings).map(shortModel))],
    practice: isPractice(settings),
    selfJudged: isSelfJudged(settings),
    qualityThreshold: settings.qualityThreshold,
  };
}

const LATEST = 'experiment_version = x.latest_version';

function sumOf(amount: (typeof SHOWN_AMOUNTS)[number], condition?: string): string {
  return `coalesce(sum(s.${amount})${condition === undefined ? '' : ` FILTER (WHERE s.${condition})`}, 0)`;
}

/**
 * Subquery for the newest run of an experiment. If it has none, returns a run of another experiment. With `=`, the planner would scan the
 * runs of all experiments backward. Only the index over experiment and number provides this order.
 */
function newestRun(experiment: string): string {
  return `(SELECT id, experiment_id, created_at, redraw FROM runs WHERE experiment_id >= ${experiment} ORDER BY experiment_id, number DESC LIMIT 1)`;
}

/** Number of ended runs whose scores are averaged. */
const AVERAGED_RUNS = 40;

const FROM = `
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL (
    SELECT *, best_scores / nullif(best_scored, 0) AS best,
      (CASE WHEN first_scored = best_scored THEN best_scores - first_scores ELSE gain END)::float8 AS gained,
      json_build_object('mean', first_scores / nullif(first_scored, 0), 'n', first_scored) AS "firstScore",
      json_build_object('mean', best_scores / nullif(best_scored, 0), 'n', best_scored) AS "bestScore",
      (SELECT r.created_at FROM ${newestRun('x.id')} r WHERE r.experiment_id = x.id) AS "lastRunAt"
    FROM (
      SELECT ${sumOf('runs')}::int AS "runCount", ${sumOf('ended')}::int AS ended, ${sumOf('unscored')}::int AS unscored, ${sumOf('solved')}::int AS solved,
        ${sumOf('waiting')}::int AS waiting, ${sumOf('under_way')}::int AS "underWay",
        ${sumOf('judged', LATEST)}::int AS judged, ${sumOf('unscorable', LATEST)}::int AS unscorable,
        ${sumOf('ever_satisfactory', LATEST)}::int AS ever, ${sumOf('first_satisfactory', LATEST)}::int AS first,
        ${sumOf('first_scored')} AS first_scored, ${sumOf('best_scored')} AS best_scored, ${sumOf('first_scores')} AS first_scores,
        ${sumOf('best_scores')} AS best_scores, ${sumOf('gain')} AS gain, ${sumOf('cost_usd')}::float8 AS "costUsd", ${sumOf('unpriced')} > 0 AS unpriced
      FROM ${totalsOf('x.id', SHOWN_AMOUNTS)} s) summed) t`;

/**
 * Columns that are expensive to compute, so only for the rows of the page. Scores are read with the same index technique as `newestRun`,
 * backward.
 */
const LOOKED_UP = `
  coalesce((SELECT ${SCORES_OF_RUN} FROM ${newestRun('p.id')} r WHERE r.experiment_id = p.id), '[]') AS "recentScores",
  coalesce((SELECT json_agg(json_build_object('scores', m.scores, 'caseKey', r.case_key)) FROM (
    SELECT run_id, experiment_id, experiment_version, scores FROM run_measures WHERE (experiment_id, experiment_version) <= (p.id, p."latestVersion")
    ORDER BY experiment_id DESC, experiment_version DESC, ended_at DESC LIMIT ${AVERAGED_RUNS}) m JOIN runs r ON r.id = m.run_id
    WHERE m.experiment_id = p.id AND m.experiment_version = p."latestVersion"), '[]') AS courses,
  (SELECT d.name FROM batches b JOIN datasets d ON d.id = b.dataset_id WHERE b.experiment_id = p.id ORDER BY b.created_at DESC LIMIT 1) AS dataset,
  coalesce((SELECT count(*) > 1 OR max(b.repetitions) > 1 FROM (SELECT repetitions FROM batches WHERE experiment_id = p.id ORDER BY created_at DESC LIMIT 2) b), false) AS "mayRepeatCases"`;

/** Uses an index, so that sums are computed only for the rows of the page. */
const NEWEST = 'x.created_at DESC, x.id DESC';

type ListOptions = { cursor: string | null; limit: number; sort?: ExperimentSort } & Partial<ExperimentFilter>;

/** Lists experiments that match the filter, in the order of `sort`. Default: newest first. */
export async function listExperiments(
  database: Database,
  { cursor, limit, sort = 'newest', ...filter }: ListOptions,
): Promise<Page<ExperimentRow>> {
  const values: unknown[] = [];
  const conditions = experimentConditions(whole(filter), values);
  const after = sort === 'newest' ? readTimeCursor(cursor) : null;
  if (after !== null) {
    values.push(after.at, after.id);
    conditions.push(`(x.created_at, x.id) < ($${values.length - 1}, $${values.length})`);
  }
  const from = sort === 'newest' ? 0 : readOffset(cursor);
  values.push(limit + 1, from);
  const rows = await database.prisma.$queryRawUnsafe<object[]>(
    `SELECT p.*, ${LOOKED_UP} FROM (
       SELECT x.id, x.name, x.sample, x.origin, x.control, x.latest_version AS "latestVersion", x.created_at AS "createdAt", v.settings, t.*,
         ${sort === 'newest' ? '0' : `row_number() OVER (ORDER BY ${EXPERIMENT_ORDERS[sort]}, ${NEWEST})`} AS place
       ${FROM} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
       ORDER BY ${sort === 'newest' ? NEWEST : 'place'} LIMIT $${values.length - 1} OFFSET $${values.length}) p
     ORDER BY p.place, p."createdAt" DESC, p.id DESC`,
    ...values,
  );
  const items = rows.map((row): ExperimentRow => experimentRow.parse(withIsoTimes(row)));
  return pageOf(items, limit, (row) => (sort === 'newest' ? timeCursor(row) : String(from + limit)));
}

function whole({ search, mode, model, origin, models, state }: Partial<ExperimentFilter>): ExperimentFilter {
  return {
    search: search ?? '',
    mode: mode ?? null,
    model: model ?? null,
    origin: origin ?? null,
    models: models ?? null,
    state: state ?? null,
  };
}

/** Returns the offset of a page in an order that changes as runs end. Returns 0 for an invalid cursor. */
function readOffset(cursor: string | null): number {
  return cursor !== null && /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
}
