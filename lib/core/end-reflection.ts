import { bestVersion } from './best-version.ts';
import { lastResumeStep } from './decisions.ts';
import { findExceededBudgets } from './estimate-next-step.ts';
import type { History, Version } from './history.ts';
import type { ReflectionKind } from './lesson-schema.ts';
import type { ModelFailureKind } from './model-request.ts';
import { roundTo6 } from './round.ts';
import { effectiveEvaluation, scoredVersions } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Step } from './step.ts';
import { type StopReason, stopReason } from './stop-reasons.ts';
import { qualityDrop } from './stop-rules.ts';

/**
 * Returns the reflection that a run writes before it ends for `reason`, in the form for its outcome. With `lessons.reflectOnEnd`, it is
 * written within the run's budgets if the loop ended normally and a version was fully scored.
 * `lessons.alwaysReflect` makes it mandatory for failed and partial runs, also after a model failure, a cut-off, a failed evaluation or an
 * exceeded budget. If a budget of the run forbids the call, the step reports this instead (`withheldBy`).
 * Null otherwise: after a manual stop, after an internal error, for a run that never started, and if it was already written.
 * It is about the version that solved the run, else the best one of an unsolved run, else the last one, else the one that could not be
 * made. Source: the reflection protocol, forms by outcome.
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
  const step = { type: 'write_reflection' as const, version, kind, reason, withheldBy: [] };
  const withheldBy = findExceededBudgets(step, history, settings);
  return withheldBy.length > 0 && !isMandatory ? null : { ...step, withheldBy };
}

/** Returns the number of the version that a run without versions failed to make, or null if it never started. */
function unmadeVersion({ failure, turns }: History): number | null {
  return failure === null && turns.length === 0 ? null : 0;
}

function kindOf(reason: StopReason, history: History, isAlways: boolean): ReflectionKind | null {
  const { reflectsOn, reflectsOnRequest } = stopReason(reason);
  if (reflectsOn !== 'failure') return reflectsOn;
  if (reflectsOnRequest && !isAlways) return null;
  return isBetterThanFirst(history) ? 'partial' : 'failure';
}

function isBetterThanFirst(history: History): boolean {
  const [first, ...later] = scoredVersions(history).map(({ score }) => roundTo6(score));
  return first !== undefined && later.some((score) => score > first);
}

/** An empty reflection is not retried. A mandatory one is due again after a resume if nothing was stored or if there are new versions. */
function isMade(
  { lessons, critiques, versions, decisions }: History,
  version: number,
  kind: ReflectionKind,
  isMandatory: boolean,
): boolean {
  const newest = isMandatory ? (versions.at(-1)?.step ?? 0) : 0;
  const resumedAt = isMandatory ? lastResumeStep({ decisions }) : 0;
  return (
    lessons.some((lesson) => lesson.version === version && lesson.kind === kind && lesson.step >= newest) ||
    critiques.some(
      (critique) => critique.version === version && critique.trigger === 'run_end' && critique.step >= resumedAt,
    )
  );
}

/** Failures about the request or the answer, not the provider's availability. Only these are useful to reflect on. */
const ABOUT_THE_ANSWER: ModelFailureKind[] = ['refused', 'empty', 'malformed', 'bad_request'];

/**
 * Returns the additional reflection on a drop of the last version's score, or null. It is due if enabled, if the drop exceeds the
 * threshold, and if it was not written yet. Source: Reflection requirements 2.3 (quality_drop).
 */
export function dropReflection(history: History, settings: ExperimentSettings, last: Version): Step | null {
  if (!settings.triggers.onQualityDrop || qualityDrop(history, settings, last) === null) return null;
  const made = history.critiques.some(({ trigger, version }) => trigger === 'quality_drop' && version === last.number);
  return made ? null : { type: 'critique', version: last.number, trigger: 'quality_drop' };
}

/**
 * Returns the reflection on an error, or null if the failure ends the run. It is due if enabled, if the generator gave no usable answer
 * (refused, empty or malformed output, or a request the provider rejected), and if none was written for this version since the last resume.
 * It is about the version that could not be made. Source: Reflection requirements 2.3 (error).
 */
export function errorReflection(history: History, settings: ExperimentSettings): Step | null {
  const { failure } = history;
  if (!settings.triggers.onError || failure === null || failure.cause === null) return null;
  if (failure.role !== 'generate' && failure.role !== 'revise') return null;
  if (!ABOUT_THE_ANSWER.includes(failure.cause)) return null;
  const version = history.versions.length;
  const resumedAt = lastResumeStep(history);
  const made = history.critiques.some(
    (critique) => critique.trigger === 'error' && critique.version === version && critique.step >= resumedAt,
  );
  if (made) return null;
  const step: Step = { type: 'critique', version, trigger: 'error' };
  return findExceededBudgets(step, history, settings).length > 0 ? null : step;
}
