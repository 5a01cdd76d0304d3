import { roundTo6 } from '#lib/reflection/round.ts';
import type { ComparedMetric } from './paired-verdict.ts';

/** How an arm did on a case beside the baseline. `unscored`: one of them has no score; `unpaired`: one of them did not run it. */
export const CASE_CHANGES = ['better', 'worse', 'same', 'unscored', 'unpaired'] as const;
export type CaseChangeKind = (typeof CASE_CHANGES)[number];

/** `by`: what the arm has more than the baseline, −1 to 1; null where there are not two numbers to compare. */
export type ArmCaseChange = { kind: CaseChangeKind; by: number | null };

type Sides = { solved: number; score: number | null };

/** An arm against the baseline on one case, by the share of runs that solved it or by the mean best score; null: not run. */
export function caseChange(baseline: Sides | null, arm: Sides | null, metric: ComparedMetric): ArmCaseChange {
  if (baseline === null || arm === null) return { kind: 'unpaired', by: null };
  const [before, after] = [baseline[metric], arm[metric]];
  if (before === null || after === null) return { kind: 'unscored', by: null };
  const by = roundTo6(after) - roundTo6(before);
  // The same two numbers give the same size both ways; what is left of their last digits is no difference.
  if (Math.abs(by) < SMALLEST) return { kind: 'same', by: 0 };
  return { kind: by > 0 ? 'better' : 'worse', by };
}

const SMALLEST = 0.000_000_5;
