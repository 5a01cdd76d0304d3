import { estimateNextStep, type StepEstimate } from './estimate-next-step.ts';
import type { History, StopReason } from './history.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfRun, spendsOf } from './spend.ts';
import type { Step } from './step.ts';

/**
 * The budgets that doing `step` would probably pass; `times` where so many of its kind are under way with it. Time is working time:
 * waiting for people does not count.
 */
export function heldBudgets(step: Step, history: History, settings: ExperimentSettings, times = 1): StopReason[] {
  const { maxCalls, maxTokens, maxCostUsd, maxSeconds } = settings.budget;
  if (maxCalls === null && maxTokens === null && maxCostUsd === null && maxSeconds === null) return [];
  const estimate = withReserve(estimateNextStep(step, history, settings), step, history, settings, times);
  const spent = spendOfRun(history);
  const knownCostUsd = spendsOf(history).reduce((sum, record) => sum + (record.costUsd ?? 0), 0);
  const held: StopReason[] = [];
  if (maxCalls !== null && history.calls + estimate.calls > maxCalls) held.push('call_budget');
  if (maxTokens !== null && passes(spent.tokenUsage.total + estimate.tokens, maxTokens)) held.push('token_budget');
  if (maxCostUsd !== null && passes(knownCostUsd + estimate.costUsd, maxCostUsd)) held.push('cost_budget');
  if (maxSeconds !== null && passes(history.activeMs + estimate.durationMs, maxSeconds * 1000))
    held.push('time_budget');
  return held;
}

/**
 * What `times` steps cost, and beside them the reflection that the run writes at its end in any case: a reserve within its budgets, so
 * that no step takes what that one call needs.
 */
function withReserve(
  estimate: StepEstimate,
  step: Step,
  history: History,
  settings: ExperimentSettings,
  times: number,
): StepEstimate {
  const { calls, tokens, costUsd, durationMs } = estimate;
  const steps = { calls: times * calls, tokens: times * tokens, costUsd: times * costUsd, durationMs };
  const { alwaysReflect, write } = settings.lessons;
  if (!alwaysReflect || write === 'off' || settings.mode === 'tune' || step.type === 'write_reflection') return steps;
  const reserve = estimateNextStep(
    { type: 'write_reflection', version: 0, kind: 'failure', reason: 'max_iterations', withheldBy: [] },
    history,
    settings,
  );
  return {
    calls: steps.calls + reserve.calls,
    tokens: steps.tokens + reserve.tokens,
    costUsd: steps.costUsd + reserve.costUsd,
    durationMs: steps.durationMs + reserve.durationMs,
  };
}

/** Sums of money such as 0.1 + 0.2 come out a little high in floating point: 0.3 still covers them. */
function passes(sum: number, limit: number): boolean {
  return sum - limit > 1e-9 * limit;
}
