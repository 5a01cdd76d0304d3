import { turnedDown } from '../read-proposal.ts';
import type { SearchStrategy } from './strategy.ts';

export const bestOfN: SearchStrategy = {
  label: 'independent proposals (best of n)',
  description: 'Every proposal improves the first prompt and knows nothing of the others. The best validated one wins.',
  source: 'Best-of-n sampling (Stiennon et al. 2020)',
  limits:
    'Improvements do not build on each other. Proposals see what checks rejected, so that none is repeated, but no scores. No plateau ends the run: it makes all proposals that the settings allow, unless one meets the quality threshold.',
  exhausted: 'The first prompt solves all training cases, and no failed validation cases are left to learn from',
  uses: ['minibatchSize', 'minibatches', 'acceptance', 'proposalsAtOnce'],
  proposes: { isSequential: false, start: ({ versions }) => versions[0]?.number ?? null, others: () => [] },
  endsAtPlateau: false,
  combines: false,
  drawsExamples: false,
  assembled: () => null,
  shown: (history, settings, parent) => ({ rejected: turnedDown(history, settings, parent, 'held_back') }),
};
