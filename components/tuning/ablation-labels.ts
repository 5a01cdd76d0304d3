import { formatChange, formatCost, formatCount, formatNumberOf } from '#lib/format.ts';
import type { AblationPlanReport, AblationReport, Contribution, PartReport } from '#lib/statistics/ablation-report.ts';
import { writeP } from '#lib/statistics/write-chance.ts';

export const CONTRIBUTION_LABELS: Record<Contribution, string> = {
  helps: 'Helps',
  hurts: 'Hurts',
  no_difference: 'No difference',
  not_enough_evidence: 'Not enough evidence',
};

/**
 * Returns the prompts, cases, tries, calls and cost of a measurement: `3 prompts on 12 of 40 validation cases: 36 tries, 36 calls, about
 * $0.36.` If `maxTries` is null (not a number) or too low, returns a sentence that requests the minimum.
 */
export function priceLabel(plan: AblationPlanReport, maxTries: number | null, madeTries: number): string {
  const { parts, cases, validatesOn, leastTries, callsPerTry, costPerTryUsd } = plan;
  if (maxTries === null || maxTries < leastTries)
    return `Enter at least ${formatNumberOf(leastTries, 'try', 'tries')}.`;
  const prompts = parts.length + 1;
  const on = Math.min(cases, Math.floor(maxTries / prompts));
  const tries = Math.max(0, on * prompts - madeTries);
  const cost = costPerTryUsd === null ? 'cost unknown' : `about ${formatCost(tries * costPerTryUsd, false)}`;
  const compared = `${formatNumberOf(prompts, 'prompt')} on ${formatCount(on)} of ${formatNumberOf(cases, casesName(validatesOn))}`;
  const made = `${formatNumberOf(tries, 'try', 'tries')}${madeTries === 0 ? '' : ' more'}`;
  return `${compared}: ${made}, ${formatNumberOf(tries * callsPerTry, 'call')}, ${cost}.`;
}

function casesName(validatesOn: AblationPlanReport['validatesOn']): string {
  return validatesOn === 'validation' ? 'validation case' : 'training case';
}

/** Returns the progress or outcome of a measurement: `Measured: 36 tries on 12 cases, $0.36`. */
export function stateLabel({ status, tries, maxTries, cases, costUsd, unpriced }: AblationReport): string {
  const made = `${formatNumberOf(tries, 'try', 'tries')} on ${formatNumberOf(cases, 'case')}, ${formatCost(costUsd, unpriced)}`;
  switch (status) {
    case 'waiting':
      return `Measuring: ${formatCount(tries)} of at most ${formatNumberOf(maxTries, 'try', 'tries')}`;
    case 'done':
      return `Measured: ${made}`;
    case 'stopped':
      return `Stopped: ${made}`;
    case 'failed':
      return `Failed: ${made}`;
  }
}

/** Returns the contribution of a part with its 95 % interval: `+0.25, +0.10 to +0.40`. */
export function contributionLabel({ contribution, low, high }: PartReport): string {
  if (contribution === null) return '–';
  const spread = low === null || high === null ? '' : `, ${signed(low)} to ${signed(high)}`;
  return `${signed(contribution)}${spread}`;
}

function signed(difference: number): string {
  return formatChange(difference).replace('= ', '');
}

/** Returns the cases behind a verdict: `n 12: 9 higher, 1 lower, 2 the same, p = 0.04`. */
export function evidenceLabel({ n, better, worse, same, pHolm }: PartReport): string {
  if (n === 0) return 'not measured yet';
  const p = pHolm === null ? '' : `, ${writeP(pHolm)}`;
  return `n ${formatCount(n)}: ${formatCount(better)} higher, ${formatCount(worse)} lower, ${formatCount(same)} the same${p}`;
}

/** True if removing a part is recommended: it was shown to reduce scores, or changes no score. */
export function isRemovable({ verdict }: Pick<PartReport, 'verdict'>): boolean {
  return verdict === 'hurts' || verdict === 'no_difference';
}
