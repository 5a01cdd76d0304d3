import type { Comparison } from '#lib/compare/schema.ts';
import type { PairedVerdict } from '#lib/statistics/paired-verdict.ts';

/** `passed`: no regression. `regression`: worse by more than noise and more than the margin. `unclear`: it can't be told. */
export type GateOutcome = 'passed' | 'regression' | 'unclear';
export type GateVerdict = { outcome: GateOutcome; reason: string; result: PairedVerdict | null };

/** What a process ends with. */
export const EXIT_CODES: Record<GateOutcome, number> = { passed: 0, regression: 1, unclear: 2 };

/**
 * Whether an experiment is a regression against the baseline: its loss is more than noise, as the verdict of the comparison says, and
 * larger than `margin`. A gain never is, nor a loss that is only noise; what cannot be told is never passed.
 */
export function judgeGate(
  { arms, against, metric }: Pick<Comparison, 'arms' | 'against' | 'metric'>,
  { margin, leastCases }: { margin: number; leastCases: number },
): GateVerdict {
  const result = against[0]?.[metric] ?? null;
  const underWay = arms.reduce((sum, arm) => sum + arm.underWay, 0);
  if (underWay > 0) return unclear(result, `${count(underWay, 'run')} still under way: wait until they have ended.`);
  if (result === null || result.difference === null) return unclear(result, 'No case was run and scored in both.');
  if (result.n < leastCases)
    return unclear(result, `Both ran ${count(result.n, 'case')}, and at least ${leastCases} are wanted.`);
  const { verdict, difference, low } = result;
  switch (verdict) {
    case 'too_few':
      return unclear(result, 'There are too few cases to tell anything.');
    case 'worse':
      return -difference > margin
        ? { outcome: 'regression', reason: `Worse than the baseline by more than noise${beyond(margin)}.`, result }
        : { outcome: 'passed', reason: `Worse by more than noise, but within the margin of ${margin}.`, result };
    case 'within_noise':
      return { outcome: 'passed', reason: `No loss beyond noise was found${atWorst(low)}.`, result };
    case 'better':
      return { outcome: 'passed', reason: 'Better than the baseline by more than noise.', result };
  }
}

function unclear(result: PairedVerdict | null, reason: string): GateVerdict {
  return { outcome: 'unclear', reason, result };
}

function beyond(margin: number): string {
  return margin === 0 ? '' : ` and more than the margin of ${margin}`;
}

/** What a pass does not rule out. */
function atWorst(low: number | null): string {
  return low === null || low >= 0 ? '' : `; a loss of up to ${(-low).toFixed(2)} is not ruled out`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
