import type { ModelFailureKind, ModelOutcome } from '#lib/core/model-request.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** Keeps what a call told of a provider's key. */
export type NoteKey = (configuration: ProviderConfiguration, outcome: ModelOutcome) => Promise<void>;

/** What an outcome tells of the key that it was asked with; null where it tells nothing. */
export function keyStateOf(outcome: ModelOutcome): 'works' | 'refused' | null {
  if (outcome.ok) return 'works';
  return refusesKey(outcome.failure) ? 'refused' : null;
}

/** Whether a failure is a refusal of the key. A missing payment is not: the key is known then. */
function refusesKey({ kind, status }: { kind: ModelFailureKind | 'no_list'; status: number | null }): boolean {
  return kind === 'unauthorized' || (kind === 'forbidden' && status === 403);
}
