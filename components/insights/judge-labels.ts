import { formatScore } from '#lib/format.ts';
import type { Calibration } from '#lib/statistics/calibration.ts';

/** A threshold that would make so many more of the judgements right is worth a word. */
const WORTH = 0.03;

/**
 * Which threshold of the judge's scores would agree with the truth most often, and what it would change; null where too little is known, or
 * none is better by enough. Several equally good: the one nearest to `now`.
 */
export function betterThreshold(
  {
    whatIf,
    agreement,
    confusion,
    n,
    tooFewToTell,
  }: Pick<Calibration, 'whatIf' | 'agreement' | 'confusion' | 'n' | 'tooFewToTell'>,
  now: number | null,
): { threshold: number; letThrough: number; heldBack: number; words: string } | null {
  const { bothGood, heldBack: missed } = confusion;
  const good = bothGood + missed;
  // Where all are good, or none is, the lowest or the highest threshold is always right and says nothing.
  if (tooFewToTell || good === 0 || good === n) return null;
  const most = Math.max(...whatIf.map(({ agreed }) => agreed));
  if (most - agreement.met < WORTH * n) return null;
  const best = whatIf
    .filter(({ agreed }) => agreed === most)
    .sort((one, other) => Math.abs(one.threshold - (now ?? 0.8)) - Math.abs(other.threshold - (now ?? 0.8)))[0];
  if (best === undefined) return null;
  const { threshold, letThrough, heldBack } = best;
  const words = `At a threshold of ${formatScore(threshold)} for its score alone it would let ${letThrough} through and hold ${heldBack} back: ${most} of ${n} right, now ${agreement.met}. It fits these very judgements, so look at new ones before you trust it.`;
  return { threshold, letThrough, heldBack, words };
}
