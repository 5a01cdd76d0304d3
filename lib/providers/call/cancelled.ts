import type { ModelOutcome } from './model-caller.ts';

/** The outcome of a call that was never made, as nobody wants its answer any more. */
export const CANCELLED: ModelOutcome = {
  ok: false,
  failure: {
    kind: 'aborted',
    message: 'The call was called off before it was made.',
    remedy: 'Resume the run.',
    status: null,
    attempts: 0,
    latencyMs: 0,
    tokenUsage: { input: 0, output: 0, total: 0 },
    costUsd: 0,
  },
};
