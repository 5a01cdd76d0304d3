import type { ComparisonArm } from '#lib/compare/schema.ts';
import { formatNumberOf, formatPercent } from '#lib/format.ts';

/**
 * How likely one of several runs of a case solves it, as a sentence: for one run, and for as many as most cases have; null where no case was
 * run more than once.
 */
export function passAtKLabel(passAtK: ComparisonArm['passAtK']): string | null {
  const [one] = passAtK;
  const most = passAtK.findLast(({ n, k }) => k > 1 && n * 2 >= (one?.n ?? 0));
  if (one === undefined || most === undefined) return null;
  return `One run solves a case ${chanceOf(one)} of the time, one of ${most.k} runs ${chanceOf(most)}; over ${formatNumberOf(most.n, 'case')}.`;
}

function chanceOf({ mean, low, high }: ComparisonArm['passAtK'][number]): string {
  const bounds = low === null || high === null ? '' : ` (${Math.round(low * 100)} to ${Math.round(high * 100)})`;
  return `${formatPercent(mean)}${bounds}`;
}
