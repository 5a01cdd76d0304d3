import { z } from 'zod';
import type { ArmName } from '#lib/measures/arm-name.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';
import type { Database } from './database.ts';

const armRow = z.object({
  experimentId: z.string(),
  version: z.int(),
  experimentName: z.string(),
  sample: z.boolean(),
  origin: z.string(),
  control: z.string().nullable(),
  parentId: z.string().nullable(),
  parentVersion: z.int().nullable(),
  message: z.string().nullable(),
  settings: settingsSchema,
  /** Runs under these settings that have ended, those of them that failed, and those that have not ended; branches count nowhere. */
  ended: z.int(),
  failed: z.int(),
  underWay: z.int(),
  /** Mean of the ended runs; null where none has. */
  tokensPerRun: z.number().nullable(),
  /** Some call of theirs had no known price. */
  unpriced: z.boolean(),
});
/** What is known of an arm of a comparison besides its cases. */
export type FoundArm = z.infer<typeof armRow>;

/** Runs that were not begun with the text of another run. */
export const OWN_RUN = 'r.branched_from_version IS NULL';
/** Runs of which anything was scored: the others say neither that a case was solved nor that it was not. */
export const SCORED_RUN = 'r.best_score IS NOT NULL';
/** Runs that say whether their case was solved: by a score, or by a person who accepted what was not scored. */
export const TELLING_RUN = `(${SCORED_RUN} OR r.success)`;
export const ENDED_RUN = `r.status IN ('finished', 'failed', 'stopped')`;

const FIND = `
  SELECT x.id AS "experimentId", v.version, x.name AS "experimentName", x.sample, x.origin, x.control, x.parent_id AS "parentId",
    x.parent_version AS "parentVersion", v.message, v.settings, t.*
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = coalesce($2,
    (SELECT max(r.experiment_version) FROM runs r WHERE r.experiment_id = x.id AND ${ENDED_RUN} AND ${OWN_RUN}), x.latest_version)
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE ${ENDED_RUN})::int AS ended, count(*) FILTER (WHERE r.status = 'failed')::int AS failed,
      count(*) FILTER (WHERE NOT ${ENDED_RUN})::int AS "underWay",
      (avg(r.input_tokens + r.output_tokens) FILTER (WHERE ${ENDED_RUN}))::float8 AS "tokensPerRun",
      coalesce(bool_or(r.unpriced) FILTER (WHERE ${ENDED_RUN}), false) AS unpriced
    FROM runs r WHERE r.experiment_id = x.id AND r.experiment_version = v.version AND ${OWN_RUN}) t
  WHERE x.id = $1`;

/** An arm of a comparison, its version filled in; null where there is no such experiment or no such version of it. */
export async function findArm({ pool }: Pick<Database, 'pool'>, name: ArmName): Promise<FoundArm | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'find-arm',
    text: FIND,
    values: [name.experimentId, name.version],
  });
  return rows[0] === undefined ? null : armRow.parse(rows[0]);
}
