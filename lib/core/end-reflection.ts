import { bestVersion } from './best-version.ts';
import { heldBudgets } from './estimate-next-step.ts';
import type { History, Version } from './history.ts';
import type { ReflectionKind } from './lesson-schema.ts';
import type { ModelFailureKind } from './model-request.ts';
import { effectiveEvaluation, scoredVersions } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Step } from './step.ts';
import { type StopReason, stopReason } from './stop-reasons.ts';
import { qualityDrop } from './stop-rules.ts';
import { roundTo6 } from './text-values.ts';

/**
 * The reflection a run that is about to end for `reason` writes first, in the form of how it came out. With `lessons.reflectOnEnd` it is
 * written where the loop came to its own end and a version was fully scored, within the run's budgets. `lessons.alwaysReflect` makes it
 * mandatory for failed and partial runs, also after a model failure, a cut-off, an evaluation that failed or a budget; where a budget of
 * the run forbids the call, the step says so instead (`withheldBy`). Null otherwise: after somebody's stop, an internal error, a run that
 * never began, and where it was written already. It speaks of the version the run is solved by, of an unsolved run's best, else of the
 * last one, else of the one that could not be made. Source: the reflection protocol, forms by outcome.
 */
export function endReflection(
  history: History,
  settings: ExperimentSettings,
  reason: StopReason,
  accepted: number | null,
): Step | null {
  const { reflectOnEnd, alwaysReflect, write } = settings.lessons;
  if (write === 'off' || settings.mode === 'tune') return null;
  const kind = kindOf(reason, history, alwaysReflect);
  if (kind === null) return null;
  const isMandatory = alwaysReflect && kind !== 'success';
  if (!isMandatory && (!reflectOnEnd || history.failure !== null)) return null;
  const last = history.versions.at(-1)?.number ?? null;
  const best = kind === 'success' ? (accepted ?? last) : bestVersion(history, 'highest_score');
  const isScored = best !== null && effectiveEvaluation(history, best)?.status === 'scored';
  if (!isScored && !isMandatory) return null;
  const version = isScored ? best : (last ?? unmadeVersion(history));
  if (version === null || isMade(history, version, kind, isMandatory)) return null;
  const step: Step = { type: 'write_reflection', version, kind, reason, withheldBy: [] };
  const withheldBy = heldBudgets(step, history, settings);
  if (withheldBy.length > 0) return isMandatory ? { ...step, withheldBy } : null;
  return step;
}

/** The number of the version that a run without any failed to make; null where it never began. */
function unmadeVersion({ failure, turns }: History): number | null {
  return failure === null && turns.length === 0 ? null : 0;
}

function kindOf(reason: StopReason, history: History, isAlways: boolean): ReflectionKind | null {
  const unsolved = isBetterThanFirst(history) ? 'partial' : 'failure';
  const { reflectsOn, reflectsOnRequest } = stopReason(reason);
  if (reflectsOn === null || (reflectsOnRequest && !isAlways)) return null;
  return reflectsOn === 'success' ? 'success' : unsolved;
}

/** Whether some version scored higher than the first one that was fully scored. */
function isBetterThanFirst(history: History): boolean {
  const [first, ...later] = scoredVersions(history).map(({ score }) => roundTo6(score));
  return first !== undefined && later.some((score) => score > first);
}

/**
 * One that came to nothing is not tried again either. A mandatory one is due again once the run was resumed: where nothing was stored, or
 * new versions were made since.
 */
function isMade(
  { lessons, critiques, versions, decisions }: History,
  version: number,
  kind: ReflectionKind,
  isMandatory: boolean,
): boolean {
  const newest = isMandatory ? (versions.at(-1)?.step ?? 0) : 0;
  const resumedAt = isMandatory ? (decisions.findLast(({ decision }) => decision === 'resume')?.step ?? 0) : 0;
  return (
    lessons.some((lesson) => lesson.version === version && lesson.kind === kind && lesson.step >= newest) ||
    critiques.some(
      (critique) => critique.version === version && critique.trigger === 'run_end' && critique.step >= resumedAt,
    )
  );
}

/** Failures that speak of what was asked or answered, not of the provider's health: only these can be reflected on. */
const ABOUT_THE_ANSWER: ModelFailureKind[] = ['refused', 'empty', 'malformed', 'bad_request'];

/**
 * The extra reflection on why the last version fell, where it is wanted, fell by more than the threshold, and was not reflected
 * on for that yet; null otherwise. Source: Reflection requirements 2.3 (quality_drop).
 */
export function dropReflection(history: History, settings: ExperimentSettings, last: Version): Step | null {
  if (!settings.triggers.onQualityDrop || qualityDrop(history, settings, last) === null) return null;
  const made = history.critiques.some(({ trigger, version }) => trigger === 'quality_drop' && version === last.number);
  return made ? null : { type: 'critique', version: last.number, trigger: 'quality_drop' };
}

/**
 * The reflection on an error, where it is wanted: the generator gave no usable answer (it refused, answered nothing or
 * something unreadable, or the provider rejected the request), and no reflection was made for this version since the last
 * resume. It speaks of the version that could not be made. Null otherwise: then the failure ends the run.
 * Source: Reflection requirements 2.3 (error).
 */
export function errorReflection(history: History, settings: ExperimentSettings): Step | null {
  const { failure } = history;
  if (!settings.triggers.onError || failure === null || failure.cause === null) return null;
  if (failure.role !== 'generate' && failure.role !== 'revise') return null;
  if (!ABOUT_THE_ANSWER.includes(failure.cause)) return null;
  const version = history.versions.length;
  const resumedAt = history.decisions.findLast(({ decision }) => decision === 'resume')?.step ?? 0;
  const made = history.critiques.some(
    (critique) => critique.trigger === 'error' && critique.version === version && critique.step >= resumedAt,
  );
  if (made) return null;
  const step: Step = { type: 'critique', version, trigger: 'error' };
  return heldBudgets(step, history, settings).length > 0 ? null : step;
}
