import type { History } from '../../history.ts';
import type { ExperimentSettings, SingleStrategy } from '../../settings.ts';
import type { Step } from '../../step.ts';
import { DEFAULT_CONVERGENCE } from '../../stop-reasons.ts';
import type { ProposalGround } from '../proposal-prompt.ts';
import type { StrategyLabels } from './strategy-labels.ts';

/** Settings of `tune` that have no effect under some strategies. */
export const STRATEGY_SETTINGS = [
  'minibatchSize',
  'minibatches',
  'selection',
  'acceptance',
  'proposalsAtOnce',
  'merge',
  'demonstrations',
] as const;
export type StrategySetting = (typeof STRATEGY_SETTINGS)[number];

/** Rounds without a gain after which a portfolio switches, if early stops are off. */
export const DEFAULT_PATIENCE = DEFAULT_CONVERGENCE.plateauIterations;

/** Texts about a strategy for the form and the documentation. */
export type StrategyText = StrategyLabels & {
  description: string;
  source: string;
  limits: string;
  /** The strategy-specific settings that it uses. */
  uses: readonly StrategySetting[];
};

/** A prompt that is made without a model, or example scores that it needs first. */
export type AssembledStep = Extract<Step, { type: 'merge' | 'demonstrate' | 'try' }>;

/** Candidates that proposals are based on, by version number. */
export type ProposalStarts = {
  /** True if each proposal depends on the previous one, so that they are made one at a time. */
  isSequential: boolean;
  /** Returns the parent candidate of a round's proposal, or null if there is none. */
  start: (history: History, settings: ExperimentSettings, round: number) => number | null;
  /** Returns other parent candidates if `start` fails no training case. */
  others: (history: History, settings: ExperimentSettings, start: number) => number[];
};

/** A strategy for the planner of a tuning run. Omitted flags are false. Functions are pure: the same history, the same result. */
export type SearchStrategy = StrategyText & {
  /** Parent candidates of the reflection model's proposals. Null if all prompts come from `assembled`. */
  proposes: ProposalStarts | null;
  /**
   * A run with only this strategy ends at a plateau. Omitted if prompts do not build on each other, so that the next may gain as much as
   * the first.
   */
  endsAtPlateau?: true;
  /** Proposals that were accepted in the same step are combined into one prompt. */
  combines?: true;
  /** Worked examples are drawn, so that training cases must be solved first. */
  drawsExamples?: true;
  /** Returns the next prompt that no model writes, or null if there is none. */
  assembled?: (history: History, settings: ExperimentSettings, round: number) => AssembledStep | null;
  /** Returns earlier proposals for the request of a proposal from `parent`. A reviewer can request a proposal under any strategy. */
  shown: (
    history: History,
    settings: ExperimentSettings,
    parent: number,
  ) => Pick<ProposalGround, 'rejected' | 'comparisons'>;
};

/** Several strategies, each used until a plateau or until it has nothing left to do. */
export type Portfolio = StrategyText & { phases: readonly SingleStrategy[] };

export type StrategyDefinition = SearchStrategy | Portfolio;
