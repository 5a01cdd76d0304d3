import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { type MeanInterval, meanInterval, meanIntervalSchema } from './mean-interval.ts';

/** How far scores lie from what came true, as a mean of squares: 0 is best, 1 worst. `guessing` = what the same word for all would get at best. */
export const brierSchema = meanIntervalSchema.extend({ guessing: z.number().min(0).max(0.25) });
export type Brier = MeanInterval & { guessing: number };

/** Brier's score of chances from 0 to 1 held against what came true, with its 95 % interval; null without any. `effective`: as how many independent ones they count, where some are alike; else all. Source: Brier 1950, for two outcomes. */
export function brier(
  forecasts: readonly { chance: number; cameTrue: boolean }[],
  effective = forecasts.length,
): Brier | null {
  const interval = meanInterval(forecasts.map(({ chance, cameTrue }) => (chance - (cameTrue ? 1 : 0)) ** 2));
  if (interval === null) return null;
  const base = forecasts.filter(({ cameTrue }) => cameTrue).length / forecasts.length;
  const { mean, low, high } = interval;
  const wider = Math.sqrt(forecasts.length / effective);
  return {
    ...interval,
    low: low === null ? null : Math.max(0, roundTo6(mean - (mean - low) * wider)),
    high: high === null ? null : Math.min(1, roundTo6(mean + (high - mean) * wider)),
    guessing: roundTo6(base * (1 - base)),
  };
}
