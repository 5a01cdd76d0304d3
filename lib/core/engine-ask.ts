import type { ModelOutcome, ModelRequest, StepCall } from './model-request.ts';

/** How an engine's models are asked. A text alone counts as an answer of unknown length and no cost. */
export type EngineAsk = (request: ModelRequest) => Promise<string | ModelOutcome>;

/** The engine's models as the steps ask them: what `ask` throws is a failed call, told in its own words. */
export function engineAsk(ask: EngineAsk, now: () => Date): StepCall {
  return async (_step, request) => {
    const startedAt = now().getTime();
    const particulars = () => ({
      tokenUsage: { input: 0, output: 0, total: 0 },
      costUsd: 0,
      latencyMs: now().getTime() - startedAt,
      attempts: 1,
    });
    try {
      const answer = await ask(request);
      if (typeof answer !== 'string') return notCalledOff(answer);
      return { ok: true, reply: { text: answer, finishReason: 'stop', warnings: [], ...particulars() } };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const remedy = 'See to the model, then execute the task again.';
      return { ok: false, failure: { kind: 'unavailable', message, remedy, status: null, ...particulars() } };
    }
  };
}

/** Nobody calls a call off here: an aborted one has failed like any other. */
function notCalledOff(outcome: ModelOutcome): ModelOutcome {
  if (outcome.ok || outcome.failure.kind !== 'aborted') return outcome;
  return { ok: false, failure: { ...outcome.failure, kind: 'unavailable' } };
}
