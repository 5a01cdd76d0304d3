import type { ModelFailureKind, ModelOutcome } from '#lib/core/model-request.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** Saves the state of a provider's key as revealed by a call. */
export type RecordKeyState = (configuration: ProviderConfiguration, outcome: ModelOutcome) => Promise<void>;

/** Returns the key state revealed by an outcome, or null if it reveals none. */
export function keyStateOf(outcome: ModelOutcome): 'works' | 'refused' | null {
  if (outcome.ok) return 'works';
  return refusesKey(outcome.failure) ? 'refused' : null;
}

/** Returns true if a failure means that the key was refused. A missing payment does not: the provider accepted the key. */
function refusesKey({ kind, status }: { kind: ModelFailureKind | 'no_list'; status: number | null }): boolean {
  return kind === 'unauthorized' || (kind === 'forbidden' && status === 403);
}
