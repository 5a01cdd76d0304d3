import { heldBudgets } from './held-budgets.ts';
import type { History, Version } from './history.ts';
import type { ModelFailureKind } from './model-request.ts';
import { qualityDrop } from './regression.ts';
import type { ExperimentSettings } from './settings.ts';
import type { Step } from './step.ts';

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
