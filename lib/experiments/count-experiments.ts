import { z } from 'zod';
import { MODES } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { totalsOf } from '#lib/runs/run-totals.ts';

const row = z.object({ mode: z.enum(MODES), model: z.string(), count: z.int(), waiting: z.int() });
/** How many experiments there are of a mode and a model that drafts, and in how many of them runs wait for somebody. */
export type ExperimentCount = z.infer<typeof row>;

const COUNTS = `
  SELECT v.settings->>'mode' AS mode, v.settings->'generator'->>'model' AS model, count(*)::int AS count,
    count(*) FILTER (WHERE (SELECT sum(t.waiting) FROM ${totalsOf('x.id', ['waiting'])} t) > 0)::int AS waiting
  FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  GROUP BY 1, 2 ORDER BY 2, 1`;

/** Counts all experiments by mode and model. */
export async function countExperiments(database: Database): Promise<ExperimentCount[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>({ name: 'count-experiments', text: COUNTS });
  return rows.map((counted) => row.parse(counted));
}
