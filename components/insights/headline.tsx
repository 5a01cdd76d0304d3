import type { ReactNode } from 'react';
import { formatCount, formatMoney, formatPercent } from '#lib/format.ts';
import type { InsightsReport, Reviewers } from '#lib/insights/schema.ts';
import type { Calibration } from '#lib/statistics/calibration.ts';
import type { Interval } from '#lib/statistics/intervals.ts';

/** Plain language conclusion of a panel. */
export function Headline({ children }: { children: ReactNode }) {
  return (
    <p data-slot="headline" className="wrap-anywhere mb-3 max-w-[64ch] text-base">
      {children}
    </p>
  );
}

/** Collapsed statistics behind a headline. */
export function Details({ children }: { children: ReactNode }) {
  return (
    <details className="mt-2 text-sm">
      <summary className="cursor-pointer text-ink-2">Show statistics</summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}

/** Returns `83% of 120 checks (76% to 89%)`. */
function shareOf(n: number, noun: string, { share, low, high }: Interval): string {
  return `${formatPercent(share)} of ${formatCount(n)} ${n === 1 ? noun : `${noun}s`} (${formatPercent(low)} to ${formatPercent(high)})`;
}

/** Returns the agreement rate of the judge with people or checks. Null without an interval. */
export function judgeHeadline(
  { agreement }: Pick<Calibration, 'agreement'>,
  truth: 'people' | 'checks',
): string | null {
  const { of, interval } = agreement;
  return interval === null ? null : `The judge agrees with ${truth} in ${shareOf(of, 'judgement', interval)}.`;
}

/** Returns how many measurable targets are met, and which are missed by more than noise. */
export function targetsHeadline(
  targets: readonly { title: string; verdict: InsightsReport['targets'][number]['verdict'] }[],
): string {
  const read = targets.filter(({ verdict }) => verdict !== 'none' && verdict !== 'too_few');
  if (read.length === 0) return 'Too few runs to evaluate the targets.';
  const met = read.filter(({ verdict }) => verdict === 'met' || verdict === 'met_within_noise').length;
  const missed = read.filter(({ verdict }) => verdict === 'missed').map(({ title }) => title.toLowerCase());
  const rest = targets.length - read.length;
  return [
    `${met} of ${read.length} targets ${met === 1 ? 'is' : 'are'} met.`,
    ...(missed.length === 0 ? [] : [`Missed: ${missed.join(', ')}.`]),
    ...(rest === 0 ? [] : [`Too few runs for ${rest === 1 ? 'the other one' : `the other ${rest}`}.`]),
  ].join(' ');
}

/** Returns the cost of a gain and of a success over all runs. */
export function costHeadline({ cost }: Pick<InsightsReport, 'cost'>): string | null {
  const least = cost.unpriced ? 'at least ' : '';
  const parts = [
    ...(cost.perSolvedUsd === null ? [] : [`A solved run costs ${least}${formatMoney(cost.perSolvedUsd)}`]),
    ...(cost.perPointUsd === null ? [] : [`a gain of 0.10 costs ${least}${formatMoney(cost.perPointUsd)}`]),
  ];
  const [first = null] = parts;
  return first === null ? null : `${[first.charAt(0).toUpperCase() + first.slice(1), ...parts.slice(1)].join(', ')}.`;
}

/** Returns the shares of checks that revisions fix and break. */
export function errorsHeadline({ errors: { corrected, introduced } }: Pick<InsightsReport, 'errors'>): string {
  const fixes = corrected.interval === null ? null : shareOf(corrected.of, 'failing check', corrected.interval);
  const breaks = introduced.interval === null ? null : shareOf(introduced.of, 'passing check', introduced.interval);
  if (fixes === null && breaks === null) return 'No revised checks yet.';
  return `Revisions fix ${fixes ?? 'nothing (no failing checks)'} and break ${breaks ?? 'nothing (no passing checks)'}.`;
}

const JUDGED = {
  opinions: 'whether to promote a lesson',
  scores: 'whether a version is good',
  preferences: 'which version is better',
} as const;

/** Returns the agreement of reviewers on the kind of judgement they made most often. */
export function reviewersHeadline(reviewers: Reviewers): string | null {
  const [most] = (['opinions', 'scores', 'preferences'] as const)
    .map((sort) => ({ sort, found: reviewers[sort] }))
    .filter(({ found }) => found.interval !== null)
    .sort((one, other) => other.found.n - one.found.n);
  if (most === undefined || most.found.interval === null) return null;
  return `Reviewers agree on ${JUDGED[most.sort]} in ${shareOf(most.found.n, 'comparison', most.found.interval)}.`;
}
