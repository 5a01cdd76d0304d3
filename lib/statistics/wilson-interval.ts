import { Z_95 } from '#lib/core/student-t.ts';

/** A share with its 95 % confidence bounds, all from 0 to 1. */
export type Interval = { low: number; share: number; high: number };

/**
 * Returns the 95 % Wilson score interval of `successes` out of `total`. Null for an empty sample. Unlike the normal interval, it stays
 * within 0 and 1 and is valid for small samples. Source: Wilson 1927.
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
