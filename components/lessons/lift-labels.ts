import { formatChange, formatList, formatNumberOf } from '#lib/format.ts';
import type { PairedLift } from '#lib/statistics/paired-lift.ts';

/** What a lift says, in a sentence: how much, how sure, over how many cases; within noise where the interval holds 0. */
export function liftSentence({ lift, low, high, n, isNoise }: PairedLift): string {
  if (lift === null) return 'No case was scored both with and without it yet.';
  const cases = formatNumberOf(n, 'case');
  if (low === null || high === null) return `${formatChange(lift)} on ${cases}: one case says nothing.`;
  if (low === 0 && high === 0) return `No difference at all on ${cases}.`;
  const bounds = `${formatChange(low)} to ${formatChange(high)} with 95 % confidence, ${cases}`;
  if (isNoise) return `${formatChange(lift)}, within noise (${bounds}).`;
  return lift > 0 ? `It helps: ${formatChange(lift)} (${bounds}).` : `It harms: ${formatChange(lift)} (${bounds}).`;
}

/** In short, for a list: `+0.08 (+0.02 to +0.14)`, `+0.01 within noise (−0.03 to +0.05)`. */
export function liftInShort({ lift, low, high, isNoise }: PairedLift): string {
  if (lift === null) return 'not scored';
  const noise = isNoise ? ' within noise' : '';
  const bounds = low === null || high === null ? '' : ` (${formatChange(low)} to ${formatChange(high)})`;
  return `${formatChange(lift)}${noise}${bounds}`;
}

/** How the cases came out: `7 helped, 2 harmed, 3 the same, 1 unscored`; and that they are few, where they are. */
export function liftCounts({ helped, harmed, same, unscored, isSmall, n }: PairedLift): string {
  const parts = [
    ...(helped > 0 ? [`${helped} helped`] : []),
    ...(harmed > 0 ? [`${harmed} harmed`] : []),
    ...(same > 0 ? [`${same} the same`] : []),
    ...(unscored > 0 ? [`${unscored} left out, not scored on both sides`] : []),
  ];
  const few = isSmall && n > 1 ? ' So few cases are only a hint.' : '';
  return parts.length === 0 ? '' : `${formatList(parts)}.${few}`;
}
