import { formatChange, formatCost, formatCount, formatNumberOf } from '#lib/format.ts';
import type { AblationPlanReport, AblationReport, Contribution, PartReport } from '#lib/statistics/ablation-report.ts';
import { writeP } from '#lib/statistics/write-chance.ts';

export const CONTRIBUTION_LABELS: Record<Contribution, string> = {
  helps: 'Helps',
  hurts: 'Hurts',
  no_difference: 'No difference',
  not_enough_evidence: 'Not enough evidence',
};

/** The number of cases that so many tries compare all prompts on. */
export function casesFor({ parts, cases }: Pick<AblationPlanReport, 'parts' | 'cases'>, maxTries: number): number {
  return Math.min(cases, Math.floor(maxTries / (parts.length + 1)));
}

/** The prompts, cases, tries, calls and cost of so many tries: `3 prompts on 12 of 40 validation cases: 36 tries, 36 calls, about $0.36`. */
export function priceLabel(plan: AblationPlanReport, maxTries: number, madeTries: number): string {
  const { parts, cases, validatesOn, callsPerTry, costPerTryUsd } = plan;
  const on = casesFor(plan, maxTries);
  const tries = Math.max(0, on * (parts.length + 1) - madeTries);
  const cost = costPerTryUsd === null ? 'cost unknown' : `about ${formatCost(tries * costPerTryUsd, false)}`;
  return [
    `${formatNumberOf(parts.length + 1, 'prompt')} on ${formatCount(on)} of ${formatNumberOf(cases, casesName(validatesOn))}: ${formatNumberOf(tries, 'try', 'tries')}${madeTries === 0 ? '' : ' more'}`,
    formatNumberOf(tries * callsPerTry, 'call'),
    cost,
  ].join(', ');
}

function casesName(validatesOn: AblationPlanReport['validatesOn']): string {
  return validatesOn === 'validation' ? 'validation case' : 'training case';
}

/** Progress or outcome of a measurement: `Measured: 36 tries on 12 cases, $0.36`. */
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

/** The contribution of a part with its 95 % interval: `+0.25, +0.10 to +0.40`. */
export function contributionLabel({ contribution, low, high }: PartReport): string {
  if (contribution === null) return '–';
  const spread = low === null || high === null ? '' : `, ${signed(low)} to ${signed(high)}`;
  return `${signed(contribution)}${spread}`;
}

function signed(difference: number): string {
  return formatChange(difference).replace('= ', '');
}

/** The cases behind a verdict: `n 12: 9 higher, 1 lower, 2 the same, p = 0.04`. */
export function evidenceLabel({ n, better, worse, same, pHolm }: PartReport): string {
  if (n === 0) return 'not measured yet';
  const p = pHolm === null ? '' : `, ${writeP(pHolm)}`;
  return `n ${formatCount(n)}: ${formatCount(better)} higher, ${formatCount(worse)} lower, ${formatCount(same)} the same${p}`;
}

/** True if leaving a part out is proposed: it is shown to hurt, or makes no difference on any case. */
export function isUseless({ verdict }: Pick<PartReport, 'verdict'>): boolean {
  return verdict === 'hurts' || verdict === 'no_difference';
}
