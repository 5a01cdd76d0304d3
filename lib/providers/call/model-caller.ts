import type { ModelOutcome, ModelRequest } from '#lib/core/model-request.ts';

export {
  CANCELLED,
  type ModelFailure,
  type ModelFailureKind,
  type ModelOutcome,
  type ModelReply,
  type ModelRequest,
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
