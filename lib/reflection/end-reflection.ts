import { bestVersion } from './best-version.ts';
import { heldBudgets } from './held-budgets.ts';
import type { History, StopReason } from './history.ts';
import type { ReflectionKind } from './lesson-kinds.ts';
import { roundTo6 } from './round.ts';
import { effectiveEvaluation, scoredVersions } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Step } from './step.ts';

/**
 * The reflection a run that is about to end for `reason` writes first: wanted by its settings, not made for this version yet, and
 * within its budgets. Null where it ends by a budget, a failure or somebody's stop, and where nothing was fully scored. It speaks of
 * the version the run is solved by, of an unsolved run's best. Source: the reflection protocol, forms by outcome.
 */
export function endReflection(
  history: History,
  settings: ExperimentSettings,
  reason: StopReason,
  accepted: number | null,
): Step | null {
  if (!settings.lessons.reflectOnEnd || settings.lessons.write === 'off' || history.failure !== null) return null;
  const kind = kindOf(reason, history);
  const last = history.versions.at(-1)?.number ?? null;
  const version = kind === 'success' ? (accepted ?? last) : bestVersion(history, 'highest_score');
  if (kind === null || version === null || effectiveEvaluation(history, version)?.status !== 'scored') return null;
  if (isMade(history, version, kind)) return null;
  const step: Step = { type: 'write_reflection', version, kind };
  return heldBudgets(step, history, settings).length > 0 ? null : step;
}

function kindOf(reason: StopReason, history: History): ReflectionKind | null {
  switch (reason) {
    case 'quality_met':
    case 'user_accepted':
      return 'success';
    case 'semantic_stability':
    case 'repeated_issues':
    case 'oscillation':
    case 'plateau':
    case 'diminishing':
    case 'nothing_to_mend':
    case 'max_iterations':
      return isBetterThanFirst(history) ? 'partial' : 'failure';
    case 'user_stopped':
    case 'model_failed':
    case 'evaluation_failed':
    case 'internal_error':
    case 'call_budget':
    case 'token_budget':
    case 'cost_budget':
    case 'time_budget':
    case 'cut_off':
    case 'experiment_budget':
    case 'month_budget':
      return null;
  }
}

/** Whether some version scored higher than the first one that was fully scored. */
function isBetterThanFirst(history: History): boolean {
  const [first, ...later] = scoredVersions(history).map(({ score }) => roundTo6(score));
  return first !== undefined && later.some((score) => score > first);
}

/** One that came to nothing is not tried again either. */
function isMade(history: History, version: number, kind: ReflectionKind): boolean {
  return (
    history.lessons.some((lesson) => lesson.version === version && lesson.kind === kind) ||
    history.critiques.some((critique) => critique.version === version && critique.trigger === 'run_end')
  );
}
