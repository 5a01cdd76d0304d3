import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { Z_95 } from './standard-normal.ts';

/** How often two say the same, beyond what chance would make: 1 = always, 0 = as often as by chance, below 0 = less often. */
export const kappaSchema = z.object({
  n: z.int().min(1),
  kappa: z.number().min(-1).max(1),
  low: z.number().min(-1).max(1),
  high: z.number().min(-1).max(1),
});
export type Kappa = z.infer<typeof kappaSchema>;

/** Two yes or no judgements of the same things, counted: the first and second yes, only the first, only the second, neither. */
export type YesNoCounts = { both: number; onlyFirst: number; onlySecond: number; neither: number };

/**
 * Cohen's kappa with its 95 % interval by the large-sample standard error, cut to −1 and 1. Null where nothing was judged, and where both
 * said the same of everything, be it yes or no: then chance alone makes them agree. The interval of few judgements is only a hint.
 * `effective`: as how many independent judgements they count, where some are alike; else all.
 * Sources: Cohen 1960; Fleiss, Cohen and Everitt 1969 (standard error).
 */
export function cohenKappa(
  { both, onlyFirst, onlySecond, neither }: YesNoCounts,
  effective = both + onlyFirst + onlySecond + neither,
): Kappa | null {
  const n = both + onlyFirst + onlySecond + neither;
  if (n === 0) return null;
  const [yes1, yes2] = [(both + onlyFirst) / n, (both + onlySecond) / n];
  const [no1, no2] = [1 - yes1, 1 - yes2];
  const observed = (both + neither) / n;
  const byChance = yes1 * yes2 + no1 * no2;
  if (1 - byChance < HARDLY_ANY) return null;
  const kappa = (observed - byChance) / (1 - byChance);
  const agreed =
    (both / n) * (1 - (yes1 + yes2) * (1 - kappa)) ** 2 + (neither / n) * (1 - (no1 + no2) * (1 - kappa)) ** 2;
  const parted = (1 - kappa) ** 2 * ((onlyFirst / n) * (yes2 + no1) ** 2 + (onlySecond / n) * (no2 + yes1) ** 2);
  const centre = (kappa - byChance * (1 - kappa)) ** 2;
  const error = Math.sqrt(Math.max(0, agreed + parted - centre) / effective) / (1 - byChance);
  return {
    n,
    kappa: roundTo6(kappa),
    low: roundTo6(Math.max(-1, kappa - Z_95 * error)),
    high: roundTo6(Math.min(1, kappa + Z_95 * error)),
  };
}

const HARDLY_ANY = 1e-12;
