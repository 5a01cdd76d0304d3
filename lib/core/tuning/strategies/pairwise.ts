import { bestVersion } from '../../best-version.ts';
import { type History, isFromCases, type Version, versionNumbered } from '../../history.ts';
import { isHeldBack } from '../candidate-state.ts';
import { effectiveScores } from '../cases-of.ts';
import type { ComparedCase, Comparison } from '../proposal-prompt.ts';
import { turnedDown } from '../read-proposal.ts';
import type { SearchStrategy } from './strategy.ts';

/** Most earlier challengers in a request, the newest. */
export const MOST_COMPARISONS = 10;

export const pairwise: SearchStrategy = {
  label: 'pairwise comparison (Feedback Descent)',
  description:
    'Each proposal challenges the best prompt. Its request holds every earlier challenger since that prompt was found: both outputs, which was better, and why.',
  source: 'Feedback Descent (Lee et al. 2025)',
  limits: `The better output is the one with the higher score. In the paper, a judge compares both directly. Proposals are made one at a time, and a request holds at most ${MOST_COMPARISONS} challengers.`,
  exhausted: 'The best prompt solves all training cases, and no failed validation cases are left to learn from',
  uses: ['minibatchSize', 'minibatches', 'acceptance'],
  reflects: true,
  isSequential: true,
  combines: false,
  drawsExamples: false,
  start: (history) => bestVersion(history, 'highest_score'),
  others: () => [],
  assembled: () => null,
  shown: (history, settings, champion) => ({
    rejected: turnedDown(history, settings, champion, 'held_back'),
    comparisons: comparisonsWith(history, champion),
  }),
};

/** How each challenger of a prompt did on the training cases it was made from, oldest first. A new best prompt has none yet. */
function comparisonsWith(history: History, champion: number): Comparison[] {
  return history.versions
    .filter((version) => isFromCases(version.proposal) && version.parents[0] === champion && !isHeldBack(version))
    .flatMap((challenger) => comparisonOf(history, versionNumbered(history, champion), challenger))
    .slice(-MOST_COMPARISONS);
}

function comparisonOf(history: History, champion: Version, challenger: Version): Comparison[] {
  if (challenger.outputDropped) return [];
  const [current, other] = [champion, challenger].map(({ number }) => effectiveScores(history, number));
  const cases = (challenger.proposal?.positions ?? []).flatMap((position): ComparedCase[] => {
    const task = history.cases.find((one) => one.position === position);
    const [before, after] = [current?.get(position), other?.get(position)];
    return task?.split === 'train' && before && after ? [{ case: task, current: before, other: after }] : [];
  });
  if (cases.length === 0) return [];
  return [{ prompt: challenger.output, diagnosis: challenger.proposal?.diagnosis ?? '', cases }];
}
