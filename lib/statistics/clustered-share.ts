import { summedShare, sumShares } from './summed-share.ts';
import type { Interval } from './wilson-interval.ts';

/** How many of one case's runs succeeded. */
export type Cluster = { successes: number; runs: number };

/**
 * The share of runs that succeeded with its 95 % interval, where several are of the same case: such runs are alike, so they tell less than
 * as many cases would. Wilson's interval over the effective number of runs: as many as would make the share vary as it does between cases,
 * at least the cases and at most the runs. All of one case, or one run a case: over the runs as they are. Null without runs.
 * Sources: Kish 1965 (effective sample size), Korn and Graubard 1998 (its use in an interval of a share).
 */
export function clusteredShare(clusters: readonly Cluster[]): Interval | null {
  return summedShare(sumShares(clusters.map(({ successes, runs }) => ({ met: successes, of: runs })))).interval;
}
