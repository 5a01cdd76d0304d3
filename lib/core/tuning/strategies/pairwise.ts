import { bestParent } from '../../best-version.ts';
import { type ExampleScore, type History, isFromCases, type Version, versionNumbered } from '../../history.ts';
import type { ExperimentSettings } from '../../settings.ts';
import { isHeldBack } from '../candidate-state.ts';
import { MAX_CASES_LENGTH_PER_REQUEST } from '../case-groups.ts';
import { effectiveScores } from '../case-scores.ts';
import { type ComparedCase, type Comparison, comparisonLine } from '../proposal-prompt.ts';
import { rejectionReasons } from '../read-proposal.ts';
import type { SearchStrategy } from './strategy.ts';
import { STRATEGY_LABELS } from './strategy-labels.ts';

/** Maximum number of earlier challengers in a request. The newest are included. */
const MAX_COMPARISONS = 10;
/** Maximum characters of all of them: half of the limit for the cases of a request. */
const MAX_COMPARISON_CHARACTERS = MAX_CASES_LENGTH_PER_REQUEST / 2;

export const pairwise: SearchStrategy = {
  ...STRATEGY_LABELS.pairwise,
  description:
    'Each proposal challenges the best prompt. Its request holds earlier challengers of that prompt: both outputs, which was better, and why.',
  source: 'Feedback Descent (Lee et al. 2025)',
  limits: `The better output is the one with the higher score. In the paper, a judge compares both directly. Proposals are made one at a time, and a request holds at most ${MAX_COMPARISONS} challengers and about ${MAX_COMPARISON_CHARACTERS.toLocaleString('en')} characters of them.`,
  uses: ['minibatchSize', 'minibatches', 'acceptance'],
  proposes: { isSequential: true, start: (history) => bestParent(history), others: () => [] },
  endsAtPlateau: true,
  shown: (history, settings, champion) => ({
    rejected: rejectionReasons(history, settings, champion, 'held_back'),
    comparisons: comparisonsThatFit(comparisonsWith(history, champion), settings),
  }),
};

/** Returns the newest comparisons that fit into a request, oldest first. The last one that fits may lack some of its cases. */
function comparisonsThatFit(comparisons: readonly Comparison[], { tune }: ExperimentSettings): Comparison[] {
  const fitting: Comparison[] = [];
  let left = MAX_COMPARISON_CHARACTERS;
  for (const comparison of comparisons.slice(-MAX_COMPARISONS).reverse()) {
    let part = comparison;
    const length = () => comparisonLine(part, null, tune).length;
    while (part.cases.length > 0 && length() > left) part = { ...part, cases: part.cases.slice(0, -1) };
    if (part.cases.length === 0) break;
    left -= length();
    fitting.unshift(part);
  }
  return fitting;
}

/** Returns the results of each challenger of a prompt on the training cases it is based on, oldest first. */
function comparisonsWith(history: History, champion: number): Comparison[] {
  return history.versions
    .filter((version) => isFromCases(version.proposal) && version.parents[0] === champion && !isHeldBack(version))
    .flatMap((challenger) => comparisonOf(history, versionNumbered(history, champion), challenger));
}

/** Cases that could not be scored with both prompts are omitted. */
function comparisonOf(history: History, champion: Version, challenger: Version): Comparison[] {
  if (challenger.outputDropped) return [];
  const [current, other] = [champion, challenger].map(({ number }) => effectiveScores(history, number));
  const cases = (challenger.proposal?.positions ?? []).flatMap((position): ComparedCase[] => {
    const task = history.cases.find((one) => one.position === position);
    const [before, after] = [current?.get(position), other?.get(position)];
    if (task?.split !== 'train' || !isScored(before) || !isScored(after)) return [];
    return [{ case: task, current: before, other: after }];
  });
  if (cases.length === 0) return [];
  return [{ prompt: challenger.output, diagnosis: challenger.proposal?.diagnosis ?? '', cases }];
}

function isScored(tried: ExampleScore | undefined): tried is ComparedCase['current'] {
  return tried !== undefined && tried.score !== null;
}
