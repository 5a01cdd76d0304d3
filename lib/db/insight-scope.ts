import type { InsightArm } from './insight-arms.ts';

/** Arms, and from when on their runs must have ended; null: since ever. */
export type ArmsInTime = { arms: readonly InsightArm[]; since: Date | null };

/** The arms as rows of `arms`, with their place; the moment is `$4`. See `armValues`. */
export const ARMS = `
  WITH arms AS (
    SELECT experiment_id, version, within, place::int - 1 AS place
    FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS a(experiment_id, version, within, place))`;

/** The first four values of a statement that begins with `ARMS`. */
export function armValues({ arms, since }: ArmsInTime): unknown[] {
  return [
    arms.map(({ experimentId }) => experimentId),
    arms.map(({ version }) => version),
    arms.map(({ within }) => within),
    since,
  ];
}
