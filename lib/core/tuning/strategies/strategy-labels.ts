import type { TuningStrategy } from '../../settings.ts';

/** Label of a strategy, and the reason why it has nothing left to do, as a sentence without its full stop. */
export type StrategyLabels = { label: string; exhausted: string };

/** Labels of all strategies. Separate from the strategies, so that pages that show a label do not load the planner. */
export const STRATEGY_LABELS = {
  gepa: {
    label: 'reflective evolution (GEPA)',
    exhausted: 'The prompt solves all training cases, and no failed validation cases are left to learn from',
  },
  pairwise: {
    label: 'pairwise comparison (Feedback Descent)',
    exhausted: 'The best prompt solves all training cases, and no failed validation cases are left to learn from',
  },
  few_shot: {
    label: 'sets of worked examples (few-shot)',
    exhausted: 'No further set of worked examples could be drawn from the solved training cases',
  },
  best_of_n: {
    label: 'independent proposals (best of n)',
    exhausted: 'The first prompt solves all training cases, and no failed validation cases are left to learn from',
  },
  portfolio: {
    label: 'one after another (portfolio)',
    exhausted: 'No strategy has anything left to try',
  },
} satisfies Record<TuningStrategy, StrategyLabels>;
