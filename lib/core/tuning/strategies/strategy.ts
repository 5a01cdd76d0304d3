import type { History } from '../../history.ts';
import { DEFAULT_CONVERGENCE } from '../../setting-choices.ts';
import type { ExperimentSettings, SingleStrategy } from '../../settings.ts';
import type { Step } from '../../step.ts';
import type { ProposalGround } from '../proposal-prompt.ts';
import type { StrategyLabels } from './strategy-labels.ts';

/** Settings of `tune` without an effect under some strategies. */
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
  /** Which of the settings that only some strategies use it uses. */
  uses: readonly StrategySetting[];
};

/** A prompt that is made without a model, or tries that it needs first. */
export type AssembledStep = Extract<Step, { type: 'merge' | 'demonstrate' | 'try' }>;

/** The candidates that proposals start from, by their version numbers. */
export type ProposalStarts = {
  /** Each proposal depends on the one before, so they are made one at a time. */
  isSequential: boolean;
  /** The candidate that the proposal of a round starts from. Null while there is none. */
  start: (history: History, settings: ExperimentSettings, round: number) => number | null;
  /** Other candidates to start from if `start` fails no training case. */
  others: (history: History, settings: ExperimentSettings, start: number) => number[];
};

/** A strategy as the planner of a tuning run uses it. All functions are pure: the same history gives the same answer. */
export type SearchStrategy = StrategyText & {
  /** From which candidates the reflection model proposes prompts. Null if all prompts come from `assembled`. */
  proposes: ProposalStarts | null;
  /** Used alone, the run ends at a plateau. False if prompts do not build on each other, so that the next may gain as much as the first. */
  endsAtPlateau: boolean;
  /** Proposals that were accepted at the same time are combined into one prompt. */
  combines: boolean;
  /** Worked examples are drawn, so training cases must be solved first. */
  drawsExamples: boolean;
  /** The next prompt that no model writes. Null if there is none. */
  assembled: (history: History, settings: ExperimentSettings, round: number) => AssembledStep | null;
  /** Earlier proposals in the request for a proposal from `parent`. A reviewer can ask for a proposal under any strategy. */
  shown: (
    history: History,
    settings: ExperimentSettings,
    parent: number,
  ) => Pick<ProposalGround, 'rejected' | 'comparisons'>;
};

/** Several strategies, each used until a plateau or until it has nothing left to do. */
export type Portfolio = StrategyText & { phases: readonly SingleStrategy[] };

export type StrategyDefinition = SearchStrategy | Portfolio;
