import { z } from 'zod';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { ARM_STAMP, ENDED_RUN, OWN_RUN, UNFINISHED_RUN } from '#lib/runs/run-conditions.ts';
import { type ArmOutcome, armOutcome } from './arm-cases.ts';
import type { ArmName } from './arm-name.ts';

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
  /** Runs under these settings that have not ended; branches count nowhere, here and in the outcome. */
  underWay: z.int(),
  /** Another one once any of its ended runs has changed. */
  stamp: z.string(),
});
/** An arm of a comparison, with what its ended runs come to. */
export type FoundArm = z.infer<typeof armRow> & ArmOutcome;

const FIND = `
  SELECT x.id AS "experimentId", v.version, x.name AS "experimentName", x.sample, x.origin, x.control, x.parent_id AS "parentId",
    x.parent_version AS "parentVersion", v.message, v.settings,
    (SELECT count(*)::int FROM runs r WHERE r.experiment_id = x.id AND r.experiment_version = v.version AND ${UNFINISHED_RUN} AND ${OWN_RUN}) AS "underWay",
    (${ARM_STAMP}) AS stamp
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = coalesce($2,
    (SELECT max(r.experiment_version) FROM runs r WHERE r.experiment_id = x.id AND ${ENDED_RUN} AND ${OWN_RUN}), x.latest_version)
  WHERE x.id = $1`;

/** An arm of a comparison, its version filled in; null where there is no such experiment or no such version of it. */
export async function findArm({ pool }: Pick<Database, 'pool'>, name: ArmName): Promise<FoundArm | null> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'find-arm',
    text: FIND,
    values: [name.experimentId, name.version],
  });
  if (rows[0] === undefined) return null;
  const arm = armRow.parse(rows[0]);
  return { ...arm, ...(await armOutcome({ pool }, arm, arm.stamp)) };
}
