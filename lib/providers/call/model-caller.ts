import type { ModelFailureKind, ModelOutcome, ModelRequest } from '#lib/core/model-request.ts';
import type { ProviderConfiguration } from '../provider-configuration.ts';

export {
  CANCELLED,
  type ModelFailure,
  type ModelFailureKind,
  type ModelOutcome,
  type ModelRequest,
  type ModelResponse,
} from '#lib/core/model-request.ts';

/** Step of a run that makes the call. */
export type CallOrigin = { runId: string; step: number };

export type CallOptions = {
  signal: AbortSignal;
  /** Omitted if no run makes the call. */
  origin?: CallOrigin;
  /** Called with each new piece of text. Null if nobody is watching. */
  onText: ((piece: string) => void) | null;
};

/** Calls models. Never throws for provider errors: failures are outcomes. */
export type ModelCaller = (request: ModelRequest, options: CallOptions) => Promise<ModelOutcome>;

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
