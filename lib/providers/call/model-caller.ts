import type { ModelOutcome, ModelRequest } from '#lib/core/model-request.ts';

export type {
  ModelFailure,
  ModelFailureKind,
  ModelOutcome,
  ModelReply,
  ModelRequest,
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

/** The outcome of a call that was never made, as nobody wants its answer any more. */
export const CANCELLED: ModelOutcome = {
  ok: false,
  failure: {
    kind: 'aborted',
    message: 'The call was canceled before it was sent.',
    remedy: 'Resume the run.',
    status: null,
    attempts: 0,
    latencyMs: 0,
    tokenUsage: { input: 0, output: 0, total: 0 },
    costUsd: 0,
  },
};
