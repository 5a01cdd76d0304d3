import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { Z_95 } from '#lib/core/student-t.ts';
import { countedShareSchema, effectiveCount, type SummedShare, summedShare } from './shares.ts';

const share = z.number().min(0).max(1);

/**
 * Changes of checks from one version to the next. `now`: the share that passes in the versions that have a next one. `settles`: the share
 * that would pass after endless revision with these two rates, with its 95 % interval. Null if nothing changed or one side never occurred.
 * `trend`: compares `settles` with `now`, allowing for noise.
 */
export const errorRatesSchema = z.object({
  corrected: countedShareSchema.meta({ description: 'Checks that failed and pass in the next version.' }),
  introduced: countedShareSchema.meta({ description: 'Checks that passed and fail in the next version.' }),
  now: share.nullable(),
  settles: z.object({ low: share, share, high: share }).nullable(),
  trend: z.enum(['rises', 'falls', 'within_noise']).nullable(),
});
export type ErrorRates = z.infer<typeof errorRatesSchema>;

/** Failed checks with those corrected in the next version, and passed checks with those that fail there. */
type CheckSums = { corrected: SummedShare; introduced: SummedShare };

/**
 * Returns error rates with intervals. The settling share is corrected ÷ (corrected + introduced), the stationary share of a two-state
 * Markov chain (Kemeny and Snell 1960). Its interval uses the logit and the delta method, with 0.5 added to counts if one is 0.
 */
export function errorRates({ corrected, introduced }: CheckSums): ErrorRates {
  const all = corrected.of + introduced.of;
  const now = all === 0 ? null : roundTo6(introduced.of / all);
  const settles = settlingShare(corrected, introduced);
  return {
    corrected: summedShare(corrected),
    introduced: summedShare(introduced),
    now,
    settles,
    trend: settles === null || now === null ? null : trendOf(settles, now),
  };
}

function trendOf({ low, high }: { low: number; high: number }, now: number): ErrorRates['trend'] {
  if (low > now) return 'rises';
  return high < now ? 'falls' : 'within_noise';
}

function settlingShare(corrected: SummedShare, introduced: SummedShare): ErrorRates['settles'] {
  if (corrected.of === 0 || introduced.of === 0 || corrected.met + introduced.met === 0) return null;
  const [up, down] = [corrected.met / corrected.of, introduced.met / introduced.of];
  const share = up / (up + down);
  const isOneSided = corrected.met === 0 || introduced.met === 0;
  const [rise, fall] = [rateOf(corrected, isOneSided), rateOf(introduced, isOneSided)];
  const logOdds = Math.log(rise.rate / fall.rate);
  const error = Math.sqrt(rise.varianceOfLog + fall.varianceOfLog);
  return {
    low: roundTo6(Math.min(share, logistic(logOdds - Z_95 * error))),
    share: roundTo6(share),
    high: roundTo6(Math.max(share, logistic(logOdds + Z_95 * error))),
  };
}

function rateOf(sums: SummedShare, isOneSided: boolean): { rate: number; varianceOfLog: number } {
  const n = effectiveCount(sums);
  const met = (sums.met / sums.of) * n;
  const [rate, of] = isOneSided ? [(met + 0.5) / (n + 1), n + 1] : [met / n, n];
  return { rate, varianceOfLog: (1 - rate) / (rate * of) };
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
