import { z } from 'zod';

/** Remaining time of a batch in milliseconds, as a 95 % confidence range. `n`: number of ended runs used for the rate. */
export const timeLeftSchema = z.object({
  lowestMs: z.number().min(0),
  highestMs: z.number().min(0),
  n: z.int().min(1),
});
export type TimeLeft = z.infer<typeof timeLeftSchema>;

const MIN_ENDED_RUNS = 3;
/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959964;

/**
 * Returns the estimated time for `remaining` runs at the recent rate of `ended` runs in `spanMs`. Null if too few have ended.
 * For random ends at a constant rate, the logarithm of the ratio of both spans has the variance 1/ended + 1/remaining (delta method, from
 * their gamma distributions). The range is therefore wide at first and narrows.
 */
export function timeLeft({
  ended,
  spanMs,
  remaining,
}: {
  ended: number;
  spanMs: number;
  remaining: number;
}): TimeLeft | null {
  if (ended < MIN_ENDED_RUNS || remaining <= 0 || spanMs <= 0) return null;
  const expectedMs = (spanMs / ended) * remaining;
  const spread = Math.exp(Z * Math.sqrt(1 / ended + 1 / remaining));
  return { lowestMs: Math.round(expectedMs / spread), highestMs: Math.round(expectedMs * spread), n: ended };
}
