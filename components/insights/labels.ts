import { formatCount, formatMoney, formatNumberOf, formatScore } from '#lib/format.ts';
import type { EqualCostPanel, InsightsReport } from '#lib/insights/schema.ts';
import type { Calibration } from '#lib/statistics/calibration.ts';
import type { ErrorRates } from '#lib/statistics/error-rates.ts';
import { writeP } from '#lib/statistics/format-statistics.ts';
import type { Target, TargetReading } from '#lib/statistics/read-target.ts';
import type { RunReading } from '#lib/statistics/run-readings.ts';

/** Labels of a target: its title, the population it counts, and the noun of its unit. */
type TargetLabel = { title: string; of: string; noun: string };

const LABELS: Record<Target, TargetLabel> = {
  final_better: { title: 'Final better than first', of: 'of runs with two scored versions', noun: 'run' },
  within_three: { title: 'Satisfactory within 3 iterations', of: 'of ended runs with a score', noun: 'run' },
  issues_resolved: {
    title: 'Issues resolved in the next version',
    of: 'of issues in a version (reworded issues stay open)',
    noun: 'issue',
  },
  scored_alike: { title: 'Same output scored alike', of: 're-scores within 0.1', noun: 're-score' },
  ended_by_rule: { title: 'Stopped by quality or an early rule', of: 'of runs that a rule ended', noun: 'run' },
};

/** Returns the labels of a target. For re-scores they include the number of outputs. */
export function targetLabel(target: Target, { rescores }: Pick<InsightsReport, 'rescores'>): TargetLabel {
  const label = LABELS[target];
  if (target !== 'scored_alike' || rescores.outputs === 0) return label;
  return { ...label, of: `re-scores of ${formatNumberOf(rescores.outputs, 'output')}, within 0.1` };
}

/** Returns the reason for a target's verdict. For re-scores it includes the largest distance. */
export function targetBecause(reading: TargetReading, { rescores }: Pick<InsightsReport, 'rescores'>): string {
  if (reading.target !== 'scored_alike' || rescores.largestDistance === null) return reading.because;
  return `${reading.verdict === 'missed' ? `${reading.because}, ` : ''}largest distance ${formatScore(rescores.largestDistance)}`;
}

/** Returns the reading of the runs behind a target: those that miss it, or if none do, those that meet it. */
export function readingBehind({ target, met, of }: TargetReading): RunReading {
  return `${target}.${met < of ? 'missed' : 'met'}`;
}

/** Returns the count of a target: `78 of 92`. */
export function targetCount({ met, of }: TargetReading): string {
  return `${formatCount(met)} of ${formatCount(of)}`;
}

/** Minimum increase in correct judgements for which another threshold is suggested, as a share. */
const MIN_THRESHOLD_GAIN = 0.03;

/**
 * Returns the threshold at which the judge agrees most often with the reference labels, and its effect. Null if there is too little data or
 * the improvement is too small. Among equal ones, returns the one nearest to `now`.
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
): { threshold: number; letThrough: number; heldBack: number; sentence: string } | null {
  const { bothGood, heldBack: missed } = confusion;
  const good = bothGood + missed;
  // If all or none are good, an extreme threshold is always right and tells nothing.
  if (tooFewToTell || good === 0 || good === n) return null;
  const most = Math.max(...whatIf.map(({ agreed }) => agreed));
  if (most - agreement.met < MIN_THRESHOLD_GAIN * n) return null;
  const best = whatIf
    .filter(({ agreed }) => agreed === most)
    .sort((one, other) => Math.abs(one.threshold - (now ?? 0.8)) - Math.abs(other.threshold - (now ?? 0.8)))[0];
  if (best === undefined) return null;
  const { threshold, letThrough, heldBack } = best;
  const sentence = `With a judge threshold of ${formatScore(threshold)}, ${most} of ${n} judgements would agree (now ${agreement.met}), with ${letThrough} false passes and ${heldBack} false failures. This threshold is fitted to these judgements, so check it on new ones.`;
  return { threshold, letThrough, heldBack, sentence };
}

/** Labels for the trend of passing checks with more revisions. */
export const TREND_LABELS: Record<NonNullable<ErrorRates['trend']>, string> = {
  rises: 'rises',
  falls: 'falls',
  within_noise: 'within noise',
};

/** Formats spending in dollars or tokens. */
export function formatSpend(spend: number, unit: EqualCostPanel['unit']): string {
  return unit === 'usd' ? formatMoney(spend) : `${formatCount(spend)} tokens`;
}

type EqualCostLabel = { verdict: string; tone: 'better' | 'worse' | undefined; because: string; more: string };

/** Returns the verdict on reflection and its basis. Colored only if noise cannot explain the difference. */
export function equalCostLabel(panel: EqualCostPanel): EqualCostLabel {
  const { verdict, onlyReflection, onlyFresh, p, cases, moreCases } = panel;
  const because = `Only reflection solves ${onlyReflection}, and only fresh drafts solve ${onlyFresh} of ${formatNumberOf(cases, 'case')} (McNemar ${writeP(p, p < 0.1 ? 3 : 2)}).`;
  const more =
    moreCases === null
      ? ''
      : `About ${formatNumberOf(moreCases, 'more case', 'more cases')} would be needed to confirm a difference of this size.`;
  switch (verdict) {
    case 'better':
      return { verdict: '▲ Better than fresh drafts.', tone: 'better', because, more };
    case 'worse':
      return { verdict: '▼ Worse than fresh drafts.', tone: 'worse', because, more };
    case 'within_noise':
      return { verdict: 'Within noise.', tone: undefined, because, more };
    case 'too_few':
      return { verdict: 'Too few cases to tell.', tone: undefined, because, more };
  }
}

/** Multiple of the median from which a cost is an outlier. */
const COST_OUTLIER_FACTOR = 5;

/** True if an experiment pays far more per point than most. `costs`: sorted, cheapest first. */
export function isExpensive(perPoint: number, costs: readonly { perPoint: number }[]): boolean {
  const middle = costs[Math.floor((costs.length - 1) / 2)]?.perPoint ?? 0;
  return costs.length > 2 && middle > 0 && perPoint >= COST_OUTLIER_FACTOR * middle;
}

/** Summarizes the costs in a few sentences. */
export function costLabel({ costs, cost, ended }: Pick<InsightsReport, 'costs' | 'cost' | 'ended'>): string {
  const isUnknown = ({ unpriced, costUsd }: Pick<InsightsReport['cost'], 'unpriced' | 'costUsd'>) =>
    unpriced && costUsd === 0;
  if (isUnknown(cost)) return 'No call has a known price.';
  const priced = costs.flatMap((one) => (one.perPointUsd === null ? [] : [{ ...one, perPoint: one.perPointUsd }]));
  // A cost without all prices is a lower bound, so it shows that an experiment is expensive, but not that it is cheap.
  const [cheapest, dearest] = [priced.find(({ unpriced }) => !unpriced), priced.at(-1)];
  const none = costs.filter((one) => one.perPointUsd === null && !isUnknown(one)).length;
  return [
    cheapest && dearest && cheapest !== dearest && isExpensive(dearest.perPoint, priced)
      ? `${dearest.name} costs ${dearest.unpriced ? 'at least ' : ''}${Math.round(dearest.perPoint / cheapest.perPoint)} times as much per point as ${cheapest.name}${dearest.solved === 0 ? ' and solved no runs' : ''}.`
      : '',
    none > 0 && none === costs.length ? 'No score improved, so there is no cost per point.' : '',
    priced.length > 0 && none > 0 ? `${formatNumberOf(none, 'experiment')} did not improve.` : '',
    cost.perSolvedUsd === null
      ? ended > 0
        ? 'No run was solved, so there is no cost per success.'
        : ''
      : `A success costs ${formatMoney(cost.perSolvedUsd)} (${formatMoney(cost.costUsd)} for ${formatNumberOf(cost.solved, 'solved run')}).`,
    cost.unpriced ? 'Some calls have no known price, so actual costs are higher.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
