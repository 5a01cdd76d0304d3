import { z } from 'zod';
import { isSelfJudged } from '#lib/reflection/is-self-judged.ts';
import { namedModels } from '#lib/reflection/named-models.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';
import { isPractice } from '#lib/reflection/to-run-record.ts';
import type { Database } from './database.ts';
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
    latestVersion: z.int(),
    createdAt: date,
    settings: settingsSchema,
    runCount: z.int(),
    ended: z.int(),
    solved: z.int(),
    firstScore: mean,
    bestScore: mean,
    costUsd: z.number(),
    unpriced: z.boolean(),
    lastRunAt: date.nullable(),
    recentScores: z.array(z.number().nullable()),
  })
  .transform(({ settings, ...row }) => ({
    ...row,
    mode: settings.mode,
    models: [...new Set(namedModels(settings).map(({ model }) => model))],
    practice: isPractice(settings),
    selfJudged: isSelfJudged(settings),
  }));
/** An experiment in a list, with what its runs came to. `recentScores`: the trajectory of its newest run. */
export type ExperimentRow = z.infer<typeof experimentRow>;

const LIST = `
  SELECT x.id, x.name, x.sample, x.latest_version AS "latestVersion", x.created_at AS "createdAt", v.settings, t.*,
    coalesce((SELECT ${SCORES_OF_RUN} FROM runs r WHERE r.experiment_id = x.id ORDER BY r.number DESC LIMIT 1), '[]') AS "recentScores"
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS "runCount", count(*) FILTER (WHERE r.status IN ('finished', 'failed', 'stopped'))::int AS ended,
      count(*) FILTER (WHERE r.success)::int AS solved,
      json_build_object('mean', avg(r.first_score), 'n', count(r.first_score)) AS "firstScore",
      json_build_object('mean', avg(r.best_score), 'n', count(r.best_score)) AS "bestScore",
      coalesce(sum(r.cost_usd), 0) AS "costUsd", coalesce(bool_or(r.unpriced), false) AS unpriced, max(r.created_at) AS "lastRunAt"
    FROM runs r WHERE r.experiment_id = x.id) t
  WHERE ($1::timestamptz IS NULL OR (x.created_at, x.id) < ($1, $2)) AND ($3 = '' OR x.name ILIKE '%' || $3 || '%')
  ORDER BY x.created_at DESC, x.id DESC LIMIT $4`;

/** Experiments, newest first; `search` looks for a part of the name. */
export async function listExperiments(
  database: Database,
  options: { cursor: string | null; limit: number; search?: string },
): Promise<Page<ExperimentRow>> {
  const after = readTimeCursor(options.cursor);
  const search = (options.search ?? '').replace(/[\\%_]/g, (special) => `\\${special}`);
  const { rows } = await database.pool.query<Record<string, unknown>>(LIST, [
    after?.at ?? null,
    after?.id ?? null,
    search,
    options.limit + 1,
  ]);
  return pageOf(
    rows.map((row) => experimentRow.parse(row)),
    options.limit,
    timeCursor,
  );
}
