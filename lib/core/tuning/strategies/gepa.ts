import { type History, isFromCases } from '../../history.ts';
import { scoreOf } from '../../scored-versions.ts';
import type { ExperimentSettings } from '../../settings.ts';
import { plannedDemonstrations } from '../demonstrations.ts';
import { plannedMerge } from '../merge-candidates.ts';
import { rejectionReasons } from '../read-proposal.ts';
import { paretoLeaders, selectCandidate } from '../select-candidate.ts';
import { type SearchStrategy, STRATEGY_SETTINGS } from './strategy.ts';
import { STRATEGY_LABELS } from './strategy-labels.ts';

export const gepa: SearchStrategy = {
  ...STRATEGY_LABELS.gepa,
  description:
    'The reflection model improves a good candidate from its failed cases. Proposals that pass at the same time are combined.',
  source: 'GEPA (Agrawal et al. 2025)',
  limits: 'A proposal learns from its own cases and from why earlier ones were dropped, not from their outputs.',
  uses: STRATEGY_SETTINGS,
  proposes: { isSequential: false, start: selectCandidate, others: otherLeaders },
  endsAtPlateau: true,
  combines: true,
  assembled(history, settings, round) {
    const merge = plannedMerge(history, settings);
    if (merge !== null) return { type: 'merge', plan: merge, round };
    const examples = plannedDemonstrations(history, settings);
    return examples === null ? null : { type: 'demonstrate', plan: examples, round };
  },
  shown: (history, settings, parent) => ({ rejected: rejectionReasons(history, settings, parent) }),
};

/**
 * Returns the candidates that lead by the selection (on some case, if that is the mean), the best first. Excludes those that were the
 * parent of a proposal since the current parent was made.
 */
function otherLeaders(history: History, { tune }: Pick<ExperimentSettings, 'tune'>, parent: number): number[] {
  const isTaken = (number: number) =>
    history.versions.some(
      ({ proposal, number: child, parents }) => isFromCases(proposal) && child > parent && parents[0] === number,
    );
  return paretoLeaders(history, tune.selection === 'best' ? 'pareto' : tune.selection)
    .map(({ number }) => number)
    .filter((number) => number !== parent && !isTaken(number))
    .sort((one, other) => (scoreOf(history, other) ?? 0) - (scoreOf(history, one) ?? 0) || other - one);
}
