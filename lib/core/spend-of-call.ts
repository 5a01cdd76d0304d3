import type { Spend, TokenUsage } from './history.ts';
import type { ModelOutcome } from './model-request.ts';

/** What a call cost, whether it was answered or not. */
export function spendOfCall(outcome: ModelOutcome): Spend {
  const { tokenUsage, costUsd, latencyMs }: { tokenUsage: TokenUsage; costUsd: number | null; latencyMs: number } =
    outcome.ok ? outcome.reply : outcome.failure;
  return { tokenUsage, costUsd, durationMs: latencyMs };
}
