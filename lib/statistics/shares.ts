import { z } from 'zod';
import { tQuantile, Z_95 } from '#lib/core/student-t.ts';
import { type Interval, type MeanInterval, wilsonInterval } from './intervals.ts';

const count = z.int().min(0);
const bound = z.number().min(0).max(1);

/** Schema of `MeanInterval`. */
export const meanIntervalSchema = z.object({
  n: z.int().min(1),
  mean: z.number().min(0).max(1),
  low: z.number().min(0).max(1).nullable(),
  high: z.number().min(0).max(1).nullable(),
}) satisfies z.ZodType<MeanInterval>;

/** Number of items that meet a condition, of all items, and their share with its 95 % interval (Wilson), null without items. */
export const countedShareSchema = z.object({
  met: count,
  of: count,
  interval: z.object({ low: bound, share: bound, high: bound }).nullable(),
});
export type CountedShare = z.infer<typeof countedShareSchema>;

export function countedShare(met: number, of: number): CountedShare {
  return { met, of, interval: wilsonInterval(met, of) };
}

/**
 * Sums for a share of items that occur several times in a run, such as issues: number that meet a condition (`met`) and number in total
 * (`of`). `clusters`: runs with any item. `metMet`, `metOf`, `ofOf`: sums over these runs of the products of met and of. Such sums can be
 * added.
 */
export type SummedShare = { met: number; of: number; clusters: number; metMet: number; metOf: number; ofOf: number };

/**
 * Returns the share with its 95 % interval. Items of one run are correlated, so it is Wilson's interval over the effective number of items.
 * That number is estimated from the variation between runs, and lies between the number of runs and the number of items. Sources: Kish 1965
 * (effective sample size), Korn and Graubard 1998 (its use in an interval of a share).
 */
export function summedShare(sums: SummedShare): CountedShare {
  const { met, of } = sums;
  if (of === 0) return countedShare(met, of);
  const effective = effectiveCount(sums);
  const interval = wilsonInterval((met / of) * effective, effective);
  return { met, of, interval: interval === null ? null : { ...interval, share: met / of } };
}

/**
 * Returns the share of items of runs with its 95 % interval, if only their totals are known. It is Wilson's interval over the number of
 * runs, the smallest effective number of items, see `summedShare`.
 */
export function shareByRun(met: number, of: number, runs: number): CountedShare {
  const effective = Math.min(of, runs);
  const interval = of === 0 ? null : wilsonInterval((met / of) * effective, effective);
  return { met, of, interval: interval === null ? null : { ...interval, share: met / of } };
}

/**
 * Returns the number of independent items that carry the same information, from the variance of a ratio of sums between runs (Taylor
 * linearization). Few runs estimate that variance poorly, so the number is reduced by the quantiles of Student's t. Source: Korn and
 * Graubard 1998.
 */
export function effectiveCount({ met, of, clusters, metMet, metOf, ofOf }: SummedShare): number {
  if (clusters < 2 || of === clusters) return of;
  const share = met / of;
  const spread = share * (1 - share);
  if (spread === 0) return clusters;
  const squares = Math.max(0, metMet - 2 * share * metOf + share * share * ofOf);
  const variance = ((clusters / (clusters - 1)) * squares) / of ** 2;
  const effective = (variance === 0 ? of : spread / variance) * (Z_95 / tQuantile(clusters - 1)) ** 2;
  return Math.min(of, Math.max(clusters, effective));
}

/** Number of items of one group for which a condition holds, and number of all. */
export type Cluster = { met: number; of: number };

/** Returns the sums of shares given run by run. */
export function sumShares(runs: Iterable<Cluster>): SummedShare {
  const sums = { met: 0, of: 0, clusters: 0, metMet: 0, metOf: 0, ofOf: 0 };
  for (const { met, of } of runs) {
    if (of === 0) continue;
    sums.met += met;
    sums.of += of;
    sums.clusters++;
    sums.metMet += met * met;
    sums.metOf += met * of;
    sums.ofOf += of * of;
  }
  return sums;
}

/** Counts by group, such as case or run, the items for which a condition holds. Items of one group are correlated. */
export function countByGroup<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  holds: (item: Item) => boolean,
): Cluster[] {
  // Counts in one pass, because this is most of the work for a large batch.
  const groups = new Map<string, Cluster>();
  for (const item of items) {
    const name = groupOf(item);
    const group = groups.get(name) ?? { met: 0, of: 0 };
    group.of++;
    if (holds(item)) group.met++;
    groups.set(name, group);
  }
  return [...groups.values()];
}

/** Adds the sums of different runs. */
export function addShares(all: readonly SummedShare[]): SummedShare {
  const total = (read: (one: SummedShare) => number) => all.reduce((sum, one) => sum + read(one), 0);
  return {
    met: total(({ met }) => met),
    of: total(({ of }) => of),
    clusters: total(({ clusters }) => clusters),
    metMet: total(({ metMet }) => metMet),
    metOf: total(({ metOf }) => metOf),
    ofOf: total(({ ofOf }) => ofOf),
  };
}

/**
 * Returns the share of successful runs with its 95 % interval, when cases have several runs. Such runs are correlated, so it is Wilson's
 * interval over the effective number of runs. That number is estimated from the variation between cases, and lies between the number of
 * cases and the number of runs. With only one case, or one run per case, it is the number of runs. Null without runs. Sources: Kish 1965
 * (effective sample size), Korn and Graubard 1998 (its use in an interval of a share).
 */
export function clusteredShare(clusters: readonly Cluster[]): Interval | null {
  return summedShare(sumShares(clusters)).interval;
}

/** Number of pairs by the side that was solved. */
export type PairCounts = { both: number; onlyArm: number; onlyBaseline: number; neither: number };

/**
 * Returns the difference of two shares over the same cases, arm minus baseline, with its 95 % interval. Null without pairs. Source:
 * Newcombe 1998, Improved confidence intervals for the difference between binomial proportions based on paired data, method 10.
 */
export function pairedShares(pairs: PairCounts): { difference: number; low: number; high: number } | null {
  const { both, onlyArm, onlyBaseline, neither } = pairs;
  const n = both + onlyArm + onlyBaseline + neither;
  const arm = wilsonInterval(both + onlyArm, n);
  const baseline = wilsonInterval(both + onlyBaseline, n);
  if (arm === null || baseline === null) return null;
  const correlation = correlationOf(pairs, n);
  const difference = (onlyArm - onlyBaseline) / n;
  const reach = (one: number, other: number) =>
    Math.sqrt(Math.max(0, one * one - 2 * correlation * one * other + other * other));
  return {
    difference,
    low: Math.max(-1, difference - reach(arm.share - arm.low, baseline.high - baseline.share)),
    high: Math.min(1, difference + reach(arm.high - arm.share, baseline.share - baseline.low)),
  };
}

/** Returns the phi coefficient, with Newcombe's continuity correction if it is positive. */
function correlationOf({ both, onlyArm, onlyBaseline, neither }: PairCounts, n: number): number {
  const margins = (both + onlyArm) * (onlyBaseline + neither) * (both + onlyBaseline) * (onlyArm + neither);
  if (margins === 0) return 0;
  const excess = both * neither - onlyArm * onlyBaseline;
  return (excess > 0 ? Math.max(0, excess - n / 2) : excess) / Math.sqrt(margins);
}
