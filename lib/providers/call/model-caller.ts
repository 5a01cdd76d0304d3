import type { ModelOutcome, ModelRequest } from '#lib/core/model-request.ts';

export {
  CANCELLED,
  type ModelFailure,
  type ModelFailureKind,
  type ModelOutcome,
  type ModelReply,
  type ModelRequest,
} from '#lib/core/model-request.ts';

/** The step of a run that asks. */
export type CallOrigin = { runId: string; step: number };

export type CallOptions = {
  signal: AbortSignal;
  /** Left out where no run asks. */
  origin?: CallOrigin;
  /** Given when somebody watches: called with each new piece of text. */
  onText: ((piece: string) => void) | null;
};

/** Asks models. Never throws for what a provider does: failures are outcomes. */
export type ModelCaller = (request: ModelRequest, options: CallOptions) => Promise<ModelOutcome>;
