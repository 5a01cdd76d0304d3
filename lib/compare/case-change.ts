import { roundTo6 } from '#lib/core/round.ts';
import type { ComparedMetric } from '#lib/statistics/paired-verdict.ts';
import { caseChange } from './compare-arms.ts';

/** How an arm did on a case beside the baseline. `unscored`: nothing of one of them was scored; `unpaired`: one of them did not run it. */
export const CASE_CHANGES = ['better', 'worse', 'same', 'unscored', 'unpaired'] as const;
export type CaseChangeKind = (typeof CASE_CHANGES)[number];

/** `by`: what the arm has more than the baseline, −1 to 1; null where there are not two numbers to compare. */
export type ArmCaseChange = { kind: CaseChangeKind; by: number | null };

type Sides = { solved: number | null; score: number | null };

/** An arm against the baseline on one case, by the share of judged runs that solved it or by the mean best score; null: not run. */
export function armCaseChange(baseline: Sides | null, arm: Sides | null, metric: ComparedMetric): ArmCaseChange {
  if (baseline === null || arm === null) return { kind: 'unpaired', by: null };
  const kind = caseChange(metric, baseline, arm);
  if (kind === null) return { kind: 'unscored', by: null };
  return { kind, by: kind === 'same' ? 0 : roundTo6((arm[metric] ?? 0) - (baseline[metric] ?? 0)) };
}
