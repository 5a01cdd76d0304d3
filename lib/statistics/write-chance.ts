/** As many as a number can be written with. */
const MOST = 100;

/**
 * With how many decimals, `least` (0 to 100) or more, two numbers are written so that the higher one reads as the higher: a score of
 * 0.796 that missed a threshold of 0.8 is no "0.80". Equal numbers need no more than `least`.
 */
export function decimalsApart(one: number, other: number, least: number): number {
  let decimals = least;
  while (decimals < MOST && orderOf(written(one, decimals), written(other, decimals)) !== orderOf(one, other))
    decimals++;
  return decimals;
}

function written(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function orderOf(one: number, other: number): number {
  return Math.sign(one - other);
}

/**
 * A probability as people write it, with two decimals and three below 0.01, or `least`; more where it would read as `SIGNIFICANT` and is
 * not: 0.046 is no "0.05", for the verdict goes by it.
 */
export function writeChance(p: number, least = p < 0.01 ? 3 : 2): string {
  return p < 0.001 ? 'below 0.001' : p.toFixed(decimalsApart(p, SIGNIFICANT, least));
}

/** A p-value as texts have it: `p = 0.04`, `p < 0.001`. */
export function writeP(p: number, least?: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${writeChance(p, least)}`;
}

/** Differences less likely than this by chance are called real. */
export const SIGNIFICANT = 0.05;
