import { wilsonInterval } from './wilson-interval.ts';

/** Pairs by which of the two sides was solved. */
export type PairCounts = { both: number; onlyArm: number; onlyBaseline: number; neither: number };

/**
 * The difference of two shares over the same cases, arm less baseline, with its 95 % interval; null without pairs.
 * Source: Newcombe 1998, Improved confidence intervals for the difference between binomial proportions based on paired data, method 10.
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

/** The phi coefficient, nearer to 0 by Newcombe's correction for continuity where it is positive. */
function correlationOf({ both, onlyArm, onlyBaseline, neither }: PairCounts, n: number): number {
  const margins = (both + onlyArm) * (onlyBaseline + neither) * (both + onlyBaseline) * (onlyArm + neither);
  if (margins === 0) return 0;
  const excess = both * neither - onlyArm * onlyBaseline;
  return (excess > 0 ? Math.max(0, excess - n / 2) : excess) / Math.sqrt(margins);
}
