import { formatDuration } from '#lib/format.ts';
import type { TimeLeft } from '#lib/statistics/time-left.ts';

/** Returns the remaining time of a batch: `40 s to 2 min left`. States if it is not known yet. */
export function timeLeftLabel(left: TimeLeft | null): string {
  if (left === null) return 'time left: known once 3 have ended';
  const [low, high] = [rounded(left.lowestMs), rounded(left.highestMs)];
  return low === high ? `about ${formatDuration(high)} left` : `${formatDuration(low)} to ${formatDuration(high)} left`;
}

/** Rounds to 1 s, to 10 s from one minute on, and to 1 min from ten minutes on. */
function rounded(milliseconds: number): number {
  const step = milliseconds < 60_000 ? 1_000 : milliseconds < 600_000 ? 10_000 : 60_000;
  return Math.max(1, Math.round(milliseconds / step)) * step;
}
