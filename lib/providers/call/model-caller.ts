import type { ModelOutcome, ModelRequest } from '#lib/core/model-request.ts';

export type {
  ModelFailure,
  ModelFailureKind,
  ModelOutcome,
  ModelReply,
  ModelRequest,
} from '#lib/core/model-request.ts';

export type CallOptions = {
  signal: AbortSignal;
  /** Given when somebody watches: called with each new piece of text. */
  onText: ((piece: string) => void) | null;
};

/** Asks models. Never throws for what a provider does: failures are outcomes. */
export type ModelCaller = (request: ModelRequest, options: CallOptions) => Promise<ModelOutcome>;
