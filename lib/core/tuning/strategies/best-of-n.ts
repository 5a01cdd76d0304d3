import { rejectionReasons } from '../read-proposal.ts';
import type { SearchStrategy } from './strategy.ts';
import { STRATEGY_LABELS } from './strategy-labels.ts';

export const bestOfN: SearchStrategy = {
  ...STRATEGY_LABELS.best_of_n,
  description: 'Every proposal improves the first prompt and knows nothing of the others. The best validated one wins.',
  source: 'Best-of-n sampling (Stiennon et al. 2020)',
  limits:
    'Improvements do not build on each other. Proposals see what checks rejected, so that none is repeated, but no scores. No plateau ends the run: it makes all proposals that the settings allow, unless one meets the quality threshold.',
  uses: ['minibatchSize', 'minibatches', 'acceptance', 'proposalsAtOnce'],
  proposes: { isSequential: false, start: ({ versions }) => versions[0]?.number ?? null, others: () => [] },
  shown: (history, settings, parent) => ({ rejected: rejectionReasons(history, settings, parent, 'held_back') }),
};
