import type { ModelFailure, ModelOutcome, ModelRequest } from './model-request.ts';
import type { ExperimentSettings } from './settings.ts';

type Limited = Pick<ExperimentSettings, 'budget' | 'lessons' | 'mode'>;

/**
 * Refuses calls beyond `budget.maxCalls`. The loop only starts a step if its usual calls fit, but a step may repeat a request: after an
 * unreadable response, a revision that cannot be applied, or a score with low confidence. Keeps the calls of the reflection that the run
 * always writes at its end. `before`: number of calls that the run made earlier.
 */
export function withCallLimit<Rest extends unknown[]>(
  call: (request: ModelRequest, ...rest: Rest) => Promise<ModelOutcome>,
  settings: Limited,
  before: number,
): (request: ModelRequest, ...rest: Rest) => Promise<ModelOutcome> {
  const { maxCalls } = settings.budget;
  if (maxCalls === null) return call;
  const reserved = reservedCalls(settings);
  let made = before;
  return async (request, ...rest) => {
    const isLesson = request.role === 'lesson' || request.role === 'lesson_check';
    if (made >= maxCalls - (isLesson ? 0 : reserved)) return { ok: false, failure: refusal(maxCalls) };
    made++;
    const outcome = await call(request, ...rest);
    if (!outcome.ok && !countsAsCall(outcome.failure)) made--;
    return outcome;
  };
}

/**
 * Returns true if a failed call counts as a call of its run. One that a rate limit refused does not, because the run waits and repeats it,
 * nor one that was not sent.
 */
export function countsAsCall({ kind, attempts }: { kind: string; attempts: number }): boolean {
  return attempts > 0 && kind !== 'rate_limited';
}

function reservedCalls({ lessons, mode }: Limited): number {
  if (!lessons.alwaysReflect || lessons.write === 'off' || mode === 'tune') return 0;
  return lessons.check === null ? 1 : 2;
}

function refusal(maxCalls: number): ModelFailure {
  return {
    kind: 'call_budget',
    message: `The run's budget of ${maxCalls.toLocaleString('en')} calls is used up.`,
    remedy: 'Resume the run with a larger budget.',
    ...{ status: null, attempts: 0, latencyMs: 0, tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0 },
  };
}
