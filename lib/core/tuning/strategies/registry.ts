import type { ExperimentSettings, SingleStrategy, TuningStrategy } from '../../settings.ts';
import { hasVariations } from '../plan-variation.ts';
import { bestOfN } from './best-of-n.ts';
import { fewShot } from './few-shot.ts';
import { gepa } from './gepa.ts';
import { pairwise } from './pairwise.ts';
import {
  DEFAULT_PATIENCE,
  type SearchStrategy,
  STRATEGY_SETTINGS,
  type StrategyDefinition,
  type StrategySetting,
} from './strategy.ts';
import { STRATEGY_LABELS } from './strategy-labels.ts';

const SINGLE = { gepa, pairwise, few_shot: fewShot, best_of_n: bestOfN } satisfies Record<
  SingleStrategy,
  SearchStrategy
>;

/** The order in which a portfolio uses the others. */
const PHASES: readonly [SingleStrategy, ...SingleStrategy[]] = ['gepa', 'pairwise', 'few_shot', 'best_of_n'];

/** All tuning strategies. The form, the run page and the documentation use their texts. */
export const STRATEGIES = {
  ...SINGLE,
  portfolio: {
    ...STRATEGY_LABELS.portfolio,
    description: `Uses in this order: ${PHASES.map((name) => SINGLE[name].label).join(', ')}. Hone switches at a plateau, or if a strategy has nothing left to do. All build on the same candidates.`,
    source: 'Algorithm portfolios (Huberman et al. 1997)',
    limits: `The order is fixed. With few proposals, the run ends before the last strategy. Without early stops, it switches after ${DEFAULT_PATIENCE} rounds without a gain.`,
    uses: STRATEGY_SETTINGS,
    phases: PHASES,
  },
} satisfies Record<TuningStrategy, StrategyDefinition>;

/** Settings that variations use under any strategy, because they are first scored on a minibatch. */
export const USED_BY_VARIATIONS: readonly StrategySetting[] = ['minibatchSize', 'minibatches', 'acceptance'];

/** False if neither the strategy nor variations use a setting of `tune`. */
export function usesSetting(settings: Pick<ExperimentSettings, 'tune'>, setting: StrategySetting): boolean {
  const { uses }: StrategyDefinition = STRATEGIES[settings.tune.strategy];
  return uses.includes(setting) || (hasVariations(settings) && USED_BY_VARIATIONS.includes(setting));
}

/** Returns the definition of a strategy that is not a portfolio. */
export function singleStrategy(name: SingleStrategy): SearchStrategy {
  return SINGLE[name];
}

/** Returns the strategies that a run uses in sequence. Only one unless it uses a portfolio. */
export function phasesOf(strategy: TuningStrategy): readonly [SingleStrategy, ...SingleStrategy[]] {
  return strategy === 'portfolio' ? STRATEGIES.portfolio.phases : [strategy];
}
