import { z } from 'zod';
import { Z_95 } from '#lib/core/student-t.ts';
import { roundTo6 } from '#lib/core/text-values.ts';

/** Correlation of two rankings: 1 = the same, 0 = unrelated, −1 = reversed. No bounds for fewer than four pairs, or for ρ = ±1. */
export const rankCorrelationSchema = z.object({
  n: z.int().min(2),
  rho: z.number().min(-1).max(1),
  low: z.number().min(-1).max(1).nullable(),
  high: z.number().min(-1).max(1).nullable(),
});
type RankCorrelation = z.infer<typeof rankCorrelationSchema>;

/**
 * Returns Spearman's rank correlation. Equal values share their mean rank. The 95 % interval uses Fisher's z with the standard error of
 * ranks. Null for fewer than two pairs, or if all values on one side are equal. `effective`: the effective number of independent pairs if
 * some are correlated, by default all. Sources: Spearman 1904; Bonett and Wright 2000.
 */
export function spearman(
  pairs: readonly (readonly [number, number])[],
  effective = pairs.length,
): RankCorrelation | null {
  const n = pairs.length;
  if (n < 2) return null;
  const ones = ranks(pairs.map(([one]) => one));
  const others = ranks(pairs.map(([, other]) => other));
  const middle = (n + 1) / 2;
  let [product, squares1, squares2] = [0, 0, 0];
  for (let index = 0; index < n; index++) {
    const one = (ones[index] ?? middle) - middle;
    const other = (others[index] ?? middle) - middle;
    product += one * other;
    squares1 += one * one;
    squares2 += other * other;
  }
  if (squares1 === 0 || squares2 === 0) return null;
  const rho = Math.max(-1, Math.min(1, product / Math.sqrt(squares1 * squares2)));
  // Fisher's z of a perfect correlation is infinite, so an interval would have no width however few pairs there are.
  if (effective < 4 || roundTo6(Math.abs(rho)) === 1) return { n, rho: roundTo6(rho), low: null, high: null };
  const half = Z_95 * Math.sqrt((1 + rho ** 2 / 2) / (effective - 3));
  const bound = (by: number) => roundTo6(Math.tanh(Math.atanh(rho) + by));
  return { n, rho: roundTo6(rho), low: bound(-half), high: bound(half) };
}

/** Returns ranks from 1. Equal values share their mean rank. */
function ranks(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const ranked = new Map<number, number>();
  let from = 0;
  while (from < sorted.length) {
    const value = sorted[from] ?? 0;
    let to = from + 1;
    while (to < sorted.length && sorted[to] === value) to++;
    ranked.set(value, (from + 1 + to) / 2);
    from = to;
  }
  return values.map((value) => ranked.get(value) ?? 0);
}
