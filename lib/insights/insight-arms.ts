import { z } from 'zod';
import { settingsSchema } from '#lib/core/settings.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import type { Database } from '#lib/database/database.ts';
import { isSelfJudged } from '#lib/runs/is-self-judged.ts';
import { totalsOf } from '#lib/runs/run-totals.ts';

/** The last version that is still within three iterations: after three revisions, or the third attempt. */
const WITHIN = { revise: 3, retry: 2, tune: 3 };

const armRow = z
  .object({
    experimentId: z.string(),
    version: z.int(),
    name: z.string(),
    origin: z.string(),
    settings: settingsSchema,
    /** Whether any version of any ended run of its own was scored. */
    scored: z.boolean(),
  })
  .transform((row) => ({
    ...row,
    practice: isPractice(row.settings),
    selfJudged: isSelfJudged(row.settings),
    qualityThreshold: row.settings.qualityThreshold,
    within: WITHIN[row.settings.mode],
  }));
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
export async function listInsightArms({ pool }: Pick<Database, 'pool'>): Promise<InsightArm[]> {
  const { rows } = await pool.query<Record<string, unknown>>({ name: 'insight-arms', text: LIST });
  return z.array(armRow).parse(rows);
}
