import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Range, RunEstimate } from './run-estimate.ts';

/** What one run may take, before its budgets. */
export type PerRun = { calls: Range; tokens: Range; costUsd: Range; timeMs: Range };

/** Shares from 0 to 1 of what a run would take that its budgets leave of it: a run ends at the first one it comes to. */
export type BudgetCut = { shares: Range; budgets: RunEstimate['budgets'] };

/** Holds what one run may take against its budgets. `isUnpriced`: some of its calls have no price, so no cost budget sees them. */
export function cutByBudgets(budget: ExperimentSettings['budget'], perRun: PerRun, isUnpriced: boolean): BudgetCut {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = budget;
  const set = [
    { budget: 'calls' as const, limit: maxCalls, range: perRun.calls, blind: false },
    { budget: 'tokens' as const, limit: maxTokens, range: perRun.tokens, blind: false },
    { budget: 'cost' as const, limit: maxCostUsd, range: perRun.costUsd, blind: isUnpriced },
    { budget: 'time' as const, limit: maxSeconds, range: seconds(perRun.timeMs), blind: false },
  ].flatMap(({ limit, ...rest }) => (limit === null ? [] : [{ ...rest, limit }]));
  return {
    shares: {
      lowest: Math.min(1, ...set.map(({ limit, range }) => shareOf(limit, range.lowest))),
      highest: Math.min(1, ...set.map(({ limit, range }) => shareOf(limit, range.highest))),
    },
    budgets: set.map(({ budget: name, limit, range, blind }) => ({
      budget: name,
      limit,
      cuts: range.lowest > limit ? 'all' : range.highest > limit ? 'some' : 'none',
      blind,
    })),
  };
}

function shareOf(limit: number, amount: number): number {
  return amount > limit ? limit / amount : 1;
}

function seconds({ lowest, highest }: Range): Range {
  return { lowest: lowest / 1000, highest: highest / 1000 };
}
