import { bestParent } from '../../best-version.ts';
import { type History, type Version, versionNumbered } from '../../history.ts';
import type { ExperimentSettings } from '../../settings.ts';
import { seededNumber } from '../../text-values.ts';
import { hasExamples } from '../candidate-state.ts';
import { effectiveScores, positionsOf } from '../case-scores.ts';
import { canDemonstrate, type DemonstrationPlan, demonstrationPlan, solvedCases } from '../demonstrations.ts';
import { dueTries } from '../due-try.ts';
import { shuffled } from '../minibatch.ts';
import { rejectionReasons } from '../read-proposal.ts';
import type { AssembledStep, SearchStrategy } from './strategy.ts';
import { STRATEGY_LABELS } from './strategy-labels.ts';

/** Maximum examples of a set if `tune.demonstrations` is 0. */
const DEFAULT_EXAMPLES = 4;
/** Number of solved cases required before sets are drawn, as a multiple of the maximum set size. */
const MIN_POOL_FACTOR = 4;
/** Maximum number of draws to find a set that is new and short enough. */
const MAX_DRAWS = 200;

export const fewShot: SearchStrategy = {
  ...STRATEGY_LABELS.few_shot,
  description:
    'Adds random sets of solved training cases to the first prompt as worked examples, and validates each set. The reflection model is not called.',
  source: 'BootstrapFewShotWithRandomSearch of DSPy (Khattab et al. 2023)',
  limits:
    'Needs validation cases and training cases that the prompt solves. The instructions stay the same, and only one component can be tuned. Each set is validated on all validation cases. No plateau ends the run: it draws all sets that the settings allow, unless one meets the quality threshold.',
  uses: ['demonstrations'],
  proposes: null,
  drawsExamples: true,
  assembled: dueExamples,
  shown: (history, settings, parent) => ({ rejected: rejectionReasons(history, settings, parent) }),
};

/**
 * Returns the next set of worked examples, or first the example scores that show which training cases are solved. The set extends the best
 * candidate without examples: the first prompt, unless a reviewer or another strategy made a better one.
 */
function dueExamples(history: History, settings: ExperimentSettings, round: number): AssembledStep | null {
  const { tune, generator } = settings;
  if (!canDemonstrate(generator) || positionsOf(history, 'validation').length === 0) return null;
  const parent = bestWithoutExamples(history);
  if (parent === null) return null;
  const most = tune.demonstrations === 0 ? DEFAULT_EXAMPLES : tune.demonstrations;
  const positions = casesToSolve(history, tune, parent, most);
  const tries = dueTries(history, [{ version: parent.number, positions }], 'minibatch');
  if (tries !== null) return tries;
  const plan = drawnExamples(history, settings, parent, most);
  return plan === null ? null : { type: 'demonstrate', plan, round };
}

function bestWithoutExamples(history: History): Version | null {
  const best = bestParent(history, (version) => !hasExamples(history, version));
  return best === null ? null : versionNumbered(history, best);
}

/** Returns as many unscored training cases as are missing. Empty once enough cases are solved, or all were scored. */
function casesToSolve(history: History, tune: ExperimentSettings['tune'], parent: Version, most: number): number[] {
  const missing = MIN_POOL_FACTOR * most - solvedCases(history, tune.seed, parent.output).length;
  const tries = effectiveScores(history, parent.number);
  return shuffled(positionsOf(history, 'train'), String, 'solve', String(tune.seed))
    .filter((position) => (tries.get(position)?.score ?? null) === null)
    .slice(0, Math.max(0, missing));
}

/** Returns the first draw by the seed whose text is new and not too long: its size first, then its cases. */
function drawnExamples(
  history: History,
  settings: ExperimentSettings,
  parent: Version,
  most: number,
): DemonstrationPlan | null {
  const { tune } = settings;
  const solved = solvedCases(history, tune.seed, parent.output);
  for (let draw = 0; draw < MAX_DRAWS && solved.length > 0; draw++) {
    const keys = ['examples', String(tune.seed), String(draw)];
    const size = 1 + Math.floor(seededNumber(...keys) * Math.min(most, solved.length));
    const chosen = shuffled(solved, ({ position }) => String(position), ...keys).slice(0, size);
    const plan = demonstrationPlan(history, settings, parent, chosen);
    if (plan !== null) return plan;
  }
  return null;
}
