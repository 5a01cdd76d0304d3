import { type CountedShare, countedShare } from './counted-share.ts';
import { wilsonInterval } from './wilson-interval.ts';

/**
 * A share of things of which a run has several, such as issues: how many hold something (`met`) of how many (`of`). `clusters`: runs with any;
 * `metMet`, `metOf`, `ofOf`: sums over these runs of the products of met and of. Such sums may be added up.
 */
export type SummedShare = { met: number; of: number; clusters: number; metMet: number; metOf: number; ofOf: number };

/**
 * The share with its 95 % interval, which goes by runs, for things of one run are alike: Wilson's over the effective number, as many as
 * would make the share vary as it does between runs, at least the runs and at most the things.
 * Sources: Kish 1965 (effective sample size), Korn and Graubard 1998 (its use in an interval of a share).
 */
export function summedShare(sums: SummedShare): CountedShare {
  const { met, of } = sums;
  if (of === 0) return countedShare(met, of);
  const effective = effectiveCount(sums);
  const interval = wilsonInterval((met / of) * effective, effective);
  return { met, of, interval: interval === null ? null : { ...interval, share: met / of } };
}

/** How many independent things would tell as much as these; by the variance of a ratio of sums between runs (Taylor's linearisation). */
export function effectiveCount({ met, of, clusters, metMet, metOf, ofOf }: SummedShare): number {
  if (clusters < 2 || of === clusters) return of;
  const share = met / of;
  const spread = share * (1 - share);
  if (spread === 0) return clusters;
  const squares = Math.max(0, metMet - 2 * share * metOf + share * share * ofOf);
  const variance = ((clusters / (clusters - 1)) * squares) / of ** 2;
  return Math.min(of, Math.max(clusters, variance === 0 ? of : spread / variance));
}

/** The sums of shares that are known run by run. */
export function sumShares(runs: Iterable<{ met: number; of: number }>): SummedShare {
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

/** Several sums over different runs as one. */
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
