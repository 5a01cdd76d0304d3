import { z } from 'zod';
import { costPerPoint } from '#lib/measures/cost-per-point.ts';
import { experimentFlags } from '#lib/measures/experiment-flags.ts';
import { trajectorySpread } from '#lib/measures/trajectory-spread.ts';
import type { ExperimentFilter, ExperimentSort } from '#lib/reflection/experiment-list.ts';
import { controlKindSchema, experimentOriginSchema } from '#lib/reflection/experiment-origin.ts';
import { isSelfJudged } from '#lib/reflection/is-self-judged.ts';
import { namedModels } from '#lib/reflection/named-models.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';
import { isPractice } from '#lib/reflection/to-run-record.ts';
import type { Database } from './database.ts';
import { EXPERIMENT_ORDERS, experimentConditions } from './experiment-conditions.ts';
import { ENDED_RUN, SCORED_RUN, TELLING_RUN } from './find-arm.ts';
import { type Page, pageOf, readTimeCursor, timeCursor } from './page.ts';
import { SCORES_OF_RUN } from './run-list-row.ts';

const date = z.date().transform((value) => value.toISOString());
const mean = z
  .object({ mean: z.number().nullable(), n: z.int() })
  .transform(({ mean, n }) => (mean === null ? null : { mean, n }));
const experimentRow = z
  .object({
    id: z.string(),
    name: z.string(),
    sample: z.boolean(),
    origin: experimentOriginSchema,
    control: controlKindSchema.nullable(),
    latestVersion: z.int(),
    createdAt: date,
    settings: settingsSchema,
    dataset: z.string().nullable(),
    runCount: z.int(),
    ended: z.int(),
    unscored: z.int(),
    solved: z.int(),
    waiting: z.int(),
    underWay: z.int(),
    judged: z.int(),
    unscorable: z.int(),
    ever: z.int(),
    first: z.int(),
    firstScore: mean,
    bestScore: mean,
    costUsd: z.number(),
    unpriced: z.boolean(),
    lastRunAt: date.nullable(),
    recentScores: z.array(z.number().nullable()),
    courses: z.array(z.array(z.number().nullable())),
  })
  .transform(({ settings, judged, unscorable, ever, first, courses, ...row }) => ({
    ...row,
    mode: settings.mode,
    base: settings.generator.base.type,
    models: [...new Set(namedModels(settings).map(({ model }) => model))],
    practice: isPractice(settings),
    selfJudged: isSelfJudged(settings),
    qualityThreshold: settings.qualityThreshold,
    costPerPointUsd: costPerPoint(row),
    flag:
      experimentFlags({ runs: judged, unscored: unscorable, everSatisfactory: ever, firstSatisfactory: first })[0]
        ?.flag ?? null,
    meanScores: trajectorySpread(courses).map((point) => point.mean),
  }));
/**
 * An experiment in a list, with what its runs came to. `ended` leaves out those of which nothing was scored, unless a person accepted them: these are the `unscored`. `recentScores`: the trajectory of its newest run; `meanScores`: the mean by version of
 * the newest ended runs of its latest settings; `dataset`: what its newest batch ran over.
 */
export type ExperimentRow = z.infer<typeof experimentRow>;

/** Ended runs whose courses make the mean. */
const COURSES = 40;

const FROM = `
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS "runCount", count(*) FILTER (WHERE ${ENDED_RUN} AND ${TELLING_RUN})::int AS ended, count(*) FILTER (WHERE ${ENDED_RUN} AND NOT ${TELLING_RUN})::int AS unscored,
      count(*) FILTER (WHERE r.success)::int AS solved, count(*) FILTER (WHERE r.status = 'waiting')::int AS waiting,
      count(*) FILTER (WHERE r.status IN ('queued', 'running'))::int AS "underWay",
      count(*) FILTER (WHERE j.counts AND ${SCORED_RUN})::int AS judged, count(*) FILTER (WHERE j.counts AND NOT ${SCORED_RUN})::int AS unscorable,
      count(*) FILTER (WHERE j.counts AND ${SCORED_RUN} AND strpos(r.satisfied, '1') > 0)::int AS ever,
      count(*) FILTER (WHERE j.counts AND ${SCORED_RUN} AND left(r.satisfied, 1) = '1')::int AS first,
      json_build_object('mean', avg(r.first_score), 'n', count(r.first_score)) AS "firstScore",
      json_build_object('mean', avg(r.best_score), 'n', count(r.best_score)) AS "bestScore",
      avg(r.best_score) AS best, (avg(r.best_score) - avg(r.first_score)) * count(r.best_score) AS gained,
      coalesce(sum(r.cost_usd), 0) AS "costUsd", coalesce(bool_or(r.unpriced), false) AS unpriced, max(r.created_at) AS "lastRunAt"
    FROM runs r CROSS JOIN LATERAL (
      SELECT r.experiment_version = x.latest_version AND r.finished_at IS NOT NULL AND r.satisfied <> '' AS counts) j
    WHERE r.experiment_id = x.id) t`;

/** What takes longer to find is looked for but for the page's own. */
const LOOKED_UP = `
  coalesce((SELECT ${SCORES_OF_RUN} FROM runs r WHERE r.experiment_id = p.id ORDER BY r.number DESC LIMIT 1), '[]') AS "recentScores",
  coalesce((SELECT json_agg(m.scores) FROM (
    SELECT scores FROM run_measures WHERE experiment_id = p.id AND experiment_version = p."latestVersion"
    ORDER BY ended_at DESC LIMIT ${COURSES}) m), '[]') AS courses,
  (SELECT d.name FROM batches b JOIN datasets d ON d.id = b.dataset_id WHERE b.experiment_id = p.id ORDER BY b.created_at DESC LIMIT 1) AS dataset`;

/** By the index: nothing is summed up but for the page's own. */
const NEWEST = 'x.created_at DESC, x.id DESC';

type ListOptions = { cursor: string | null; limit: number; sort?: ExperimentSort } & Partial<ExperimentFilter>;

/** Experiments that fit the filter, in the order of `sort`: the newest first where it is left out. */
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
  const from = sort === 'newest' ? 0 : readPlace(cursor);
  values.push(limit + 1, from);
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT p.*, ${LOOKED_UP} FROM (
       SELECT x.id, x.name, x.sample, x.origin, x.control, x.latest_version AS "latestVersion", x.created_at AS "createdAt", v.settings, t.*,
         ${sort === 'newest' ? '0' : `row_number() OVER (ORDER BY ${EXPERIMENT_ORDERS[sort]}, ${NEWEST})`} AS place
       ${FROM} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
       ORDER BY ${sort === 'newest' ? NEWEST : 'place'} LIMIT $${values.length - 1} OFFSET $${values.length}) p
     ORDER BY p.place, p."createdAt" DESC, p.id DESC`,
    values,
  );
  const items = rows.map((row) => experimentRow.parse(row));
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

/** Where a page begins in an order that changes as runs end; 0 for what is no such place. */
function readPlace(cursor: string | null): number {
  return cursor !== null && /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
}
