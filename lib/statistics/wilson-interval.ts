/** The 97.5 % point: 95 % of the distribution lie within as much below and above 0. */
export const Z_95 = 1.959964;

/** A share with the bounds that hold it with 95 % confidence, all from 0 to 1. */
export type Interval = { low: number; share: number; high: number };

/**
 * Wilson score interval of `successes` out of `total` at 95 %. Null for an empty sample.
 * Source: Wilson 1927; it stays within 0 and 1 and holds for small samples, where the normal interval does not.
 */
export function wilsonInterval(successes: number, total: number): Interval | null {
  if (total <= 0) return null;
  const share = successes / total;
  const squared = Z_95 * Z_95;
  const centre = (share + squared / (2 * total)) / (1 + squared / total);
  const half =
    (Z_95 / (1 + squared / total)) * Math.sqrt((share * (1 - share)) / total + squared / (4 * total * total));
  return { low: Math.max(0, centre - half), share, high: Math.min(1, centre + half) };
}
