/** Maximum number of decimals that `toFixed` supports. */
const MAX_DECIMALS = 100;

/**
 * Returns the number of decimals, `least` (0 to 100) or more, with which the higher of two numbers also reads as higher. A score of 0.796
 * that missed a threshold of 0.8 must not read "0.80". Equal numbers use `least`.
 */
export function decimalsToDistinguish(one: number, other: number, least: number): number {
  let decimals = least;
  while (decimals < MAX_DECIMALS && orderOf(written(one, decimals), written(other, decimals)) !== orderOf(one, other))
    decimals++;
  return decimals;
}

/** Returns the number of decimals, `least` or more, with which an interval of a difference that excludes 0 also reads so. */
export function decimalsOfInterval(
  { low, high }: { low: number | null; high: number | null },
  least: number,
  scale = 1,
): number {
  const nearest = low !== null && low > 0 ? low : high !== null && high < 0 ? high : 0;
  return decimalsToDistinguish(nearest * scale, 0, least);
}

function written(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}

function orderOf(one: number, other: number): number {
  return Math.sign(one - other);
}

/**
 * Formats a probability with two decimals, three below 0.01, or `least`. Uses more if it would otherwise read as `SIGNIFICANT`: 0.046 must
 * not read "0.05", because the verdict depends on it.
 */
export function writeChance(p: number, least = p < 0.01 ? 3 : 2): string {
  return p < 0.001 ? 'below 0.001' : p.toFixed(decimalsToDistinguish(p, SIGNIFICANT, least));
}

/** Formats a p-value for texts: `p = 0.04`, `p < 0.001`. */
export function writeP(p: number, least?: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${writeChance(p, least)}`;
}

/** Significance level. */
export const SIGNIFICANT = 0.05;
