import type { InsightArm } from './insight-arms.ts';

/** Arms, and from when on their runs must have ended; null: since ever. */
export type ArmsInTime = { arms: readonly InsightArm[]; since: Date | null };

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
export function armValues({ arms, since }: ArmsInTime): unknown[] {
  return [
    arms.map(({ experimentId }) => experimentId),
    arms.map(({ version }) => version),
    arms.map(({ within }) => within),
    since,
  ];
}
