import type { Trajectory, TrajectoryPoint } from '#components/run/trajectory.ts';
import { scoreAxisBottom } from '#components/ui/score-axis.ts';
import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';

/**
 * Returns the main line of the tuning chart: candidates by the mean used for selection, connected to their parents. Rejected, held-back and
 * partly evaluated prompts are gaps. Candidates that are not ancestors of `best` are on abandoned branches.
 */
export function tuningTrajectory({ versions }: TuningSummary, best: number | null): Trajectory {
  const onPath = findPathTo(versions, best);
  const points = versions.map(
    (version): TrajectoryPoint => ({
      label: `v${version.number}`,
      version: version.number,
      parent: version.parents[0] ?? null,
      overall: isRejected(version) ? null : (version.chosenBy?.mean ?? null),
      criteria: {},
      state: version.chosenBy === null || isRejected(version) ? 'pending' : 'scored',
      left: best !== null && !onPath.has(version.number),
      byPerson: version.state === 'by_hand',
    }),
  );
  const segments = points.flatMap((point, to) => {
    const from = points.findIndex(({ version }) => version === point.parent);
    return from < 0 || point.overall === null || points[from]?.overall == null ? [] : [{ from, to, left: point.left }];
  });
  const ends = versions
    .filter((version) => !isRejected(version))
    .flatMap(({ chosenBy, train, heldOut }) => [
      chosenBy?.low,
      chosenBy?.mean,
      train?.mean,
      heldOut?.mean,
      heldOut?.low,
    ]);
  return { points, segments, criteria: [], lowest: scoreAxisBottom(ends.filter((score) => score != null)) };
}

/** True if a prompt is only a mark on the chart: it never became a candidate. */
export function isRejected({ state }: TunedVersion): boolean {
  return state === 'rejected' || state === 'held_back' || state === 'untried' || state === 'combined';
}

function findPathTo(versions: readonly TunedVersion[], best: number | null): Set<number> {
  const numbers = new Set<number>();
  for (let at = best; at !== null && !numbers.has(at); ) {
    numbers.add(at);
    at = versions.find(({ number }) => number === at)?.parents[0] ?? null;
  }
  return numbers;
}
