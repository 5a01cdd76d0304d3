import type { RecallEffect } from '#lib/core/recalled-text.ts';
import { roundTo6 } from '#lib/core/round.ts';

/** Scores that differ by no more than this, of 1, differ by chance. */
export const EFFECT_TOLERANCE = 0.05;

/**
 * How a lesson in a version's prompt turned out, by the score without it and the score with it, from 0 to 1; null where one of
 * them is not known. Differences are rounded to 6 decimals; one of just the tolerance is neutral.
 */
export function recallEffect({
  before,
  after,
  tolerance = EFFECT_TOLERANCE,
}: {
  before: number | null;
  after: number | null;
  tolerance?: number;
}): RecallEffect | null {
  if (before === null || after === null) return null;
  const gain = roundTo6(after - before);
  if (gain > tolerance) return 'helpful';
  return gain < -tolerance ? 'harmful' : 'neutral';
}
