import { formatDuration } from '#lib/format.ts';
import type { TimeLeft } from '#lib/statistics/time-left.ts';

/** How long a batch may still take, in words: `40 s to 2 min left`; what is not known yet is said. */
export function timeLeftLabel(left: TimeLeft | null): string {
  if (left === null) return 'time left: known once 3 have ended';
  const [low, high] = [rounded(left.lowestMs), rounded(left.highestMs)];
  return low === high ? `about ${formatDuration(high)} left` : `${formatDuration(low)} to ${formatDuration(high)} left`;
}

/** To what the eye takes in: seconds, from a minute on tens of them, from ten minutes on minutes. */
function rounded(milliseconds: number): number {
  const step = milliseconds < 60_000 ? 1_000 : milliseconds < 600_000 ? 10_000 : 60_000;
  return Math.max(1, Math.round(milliseconds / step)) * step;
}
