import { type Interval, wilsonInterval } from './wilson-interval.ts';

/** How many of one case's runs succeeded. */
export type Cluster = { successes: number; runs: number };

/**
 * The share of runs that succeeded with its 95 % interval, where several are of the same case: such runs are alike, so they tell less than
 * as many cases would. Wilson's interval over the effective number of runs: as many as would make the share vary as it does between cases,
 * at least the cases and at most the runs. All of one case, or one run a case: over the runs as they are. Null without runs.
 * Sources: Kish 1965 (effective sample size), Korn and Graubard 1998 (its use in an interval of a share).
 */
export function clusteredShare(clusters: readonly Cluster[]): Interval | null {
  const cases = clusters.length;
  const runs = clusters.reduce((sum, cluster) => sum + cluster.runs, 0);
  const successes = clusters.reduce((sum, cluster) => sum + cluster.successes, 0);
  if (runs === 0) return null;
  if (cases === 1 || runs === cases) return wilsonInterval(successes, runs);
  const share = successes / runs;
  const effective = Math.min(runs, Math.max(cases, effectiveRuns(clusters, share, runs)));
  return wilsonInterval(share * effective, effective);
}

/** By the variance of a ratio of sums between clusters (Taylor's linearisation). */
function effectiveRuns(clusters: readonly Cluster[], share: number, runs: number): number {
  const spread = share * (1 - share);
  if (spread === 0) return 0;
  const cases = clusters.length;
  const squares = clusters.reduce((sum, cluster) => sum + (cluster.successes - share * cluster.runs) ** 2, 0);
  const variance = ((cases / (cases - 1)) * squares) / runs ** 2;
  return variance === 0 ? Number.POSITIVE_INFINITY : spread / variance;
}
