import { z } from 'zod';

/** How long a batch may still take, in milliseconds, with 95 % confidence; `n` = the ended runs its pace is taken from. */
export const timeLeftSchema = z.object({
  lowestMs: z.number().min(0),
  highestMs: z.number().min(0),
  n: z.int().min(1),
});
export type TimeLeft = z.infer<typeof timeLeftSchema>;

/** A pace from fewer ended runs says nothing. */
const LEAST_ENDED = 3;
/** The 97.5 % point of the standard normal distribution. */
const Z = 1.959964;

/**
 * The time that `remaining` runs will take at the pace of the last ones: `ended` of them within `spanMs`. Ends that come at random at a
 * steady pace lie a span apart whose logarithm has the variance 1/ended + 1/remaining (by the delta method, from the gamma
 * distributions of both spans), so the range is wide at first and narrows. Null while too few have ended to tell.
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
  if (ended < LEAST_ENDED || remaining <= 0 || spanMs <= 0) return null;
  const expectedMs = (spanMs / ended) * remaining;
  const spread = Math.exp(Z * Math.sqrt(1 / ended + 1 / remaining));
  return { lowestMs: Math.round(expectedMs / spread), highestMs: Math.round(expectedMs * spread), n: ended };
}
