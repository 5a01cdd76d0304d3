import {
  formatChange,
  formatChangeInterval,
  formatCount,
  formatNumberOf,
  formatScore,
  joinParts,
} from '#lib/format.ts';
import type { AnswerComparison, AnswerSum } from '#lib/prompts/compare-answers.ts';
import { writeP } from '#lib/statistics/format-statistics.ts';

type ComparisonLabel = { verdict: string; sums: string; note: string };

/** Compares the draft with an earlier text, named `before`. Null until a case is scored under both. */
export function comparisonLabel(comparison: AnswerComparison, before: string): ComparisonLabel | null {
  const { n, fixed, broken, isPassFail, p, lift } = comparison;
  if (n === 0) return null;
  const changes = `${fixed} fixed, ${broken} broken`;
  const test = isPassFail ? `McNemar ${writeP(p ?? 1)}` : lift === null ? '' : liftLabel(lift);
  return {
    verdict: verdictOf(comparison),
    sums: isPassFail
      ? `${comparison.after.right} of ${n} right, ${before}: ${comparison.before.right}.`
      : `Draft ${scoreOf(comparison.after)}, ${before} ${scoreOf(comparison.before)} over ${formatNumberOf(n, 'case')}.`,
    note: [`${joinParts(changes, test)}.`, casesLabel(comparison)].filter(Boolean).join(' '),
  };
}

function liftLabel({ lift, low, high }: NonNullable<AnswerComparison['lift']>): string {
  if (lift === null) return '';
  if (low === null || high === null) return `mean ${formatChange(lift)}`;
  const [change, from, to] = formatChangeInterval(lift, low, high);
  return `mean ${change}, 95% of ${from} to ${to}`;
}

function verdictOf(comparison: AnswerComparison): string {
  const by = gainOf(comparison);
  if (by === 0) return comparison.fixed + comparison.broken === 0 ? 'No difference.' : 'Equal overall.';
  if (comparison.isNoise) return 'Within noise.';
  return by > 0 ? 'Better.' : 'Worse.';
}

/** Returns the improvement of the later text: in cases if they pass or fail, else in mean score. */
export function gainOf({ isPassFail, fixed, broken, lift }: AnswerComparison): number {
  return isPassFail ? fixed - broken : (lift?.lift ?? 0);
}

function casesLabel(comparison: AnswerComparison): string {
  const { isNoise, casesToShow, n } = comparison;
  if (!isNoise || casesToShow === null) return '';
  const isLoss = gainOf(comparison) < 0;
  const cases = Math.max(casesToShow, n + 1);
  if (cases > 100_000) return '';
  return `About ${formatCount(rounded(cases))} cases would be needed to confirm a ${isLoss ? 'loss' : 'gain'} of this size.`;
}

/** Rounds up to two significant digits, because the estimate is not more precise. */
function rounded(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

function scoreOf({ scores }: AnswerSum): string {
  return formatScore(scores?.mean ?? null);
}

/**
 * Returns the cost of an evaluation: `18 calls, 22 known`, or that all results are cached. `calls` may be lower, because a judge's result
 * may be cached.
 */
export function callsLabel({ cells, known, calls }: { cells: number; known: number; calls: number }): string {
  if (cells === 0) return 'no cases';
  if (known === cells) return `all ${formatCount(cells)} answers saved, no calls`;
  return `${formatNumberOf(calls, 'call')}${known === 0 ? '' : `, ${formatCount(known)} saved`}`;
}
