import { decimalsApart } from './decimals-apart.ts';
import { SIGNIFICANT } from './significant.ts';

/**
 * A probability as people write it, with two decimals and three below 0.01, or `least`; more where it would read as `SIGNIFICANT` and is
 * not: 0.046 is no "0.05", for the verdict goes by it.
 */
export function writeChance(p: number, least = p < 0.01 ? 3 : 2): string {
  return p < 0.001 ? 'below 0.001' : p.toFixed(decimalsApart(p, SIGNIFICANT, least));
}
