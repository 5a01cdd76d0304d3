import type { ModelOutcome } from '#lib/providers/call/model-caller.ts';
import type { ProofEvent } from './prompt-evaluation.ts';

type Sum = Pick<
  Extract<ProofEvent, { type: 'end' }>,
  'calls' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'unpriced'
>;

/** Counts calls that were really made, those that failed included, and what they cost. */
export function evaluationSpend(): { add: (outcome: ModelOutcome) => ModelOutcome; sum: () => Sum } {
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: false };
  return {
    add: (outcome) => {
      const { attempts, tokenUsage, costUsd } = outcome.ok ? outcome.reply : outcome.failure;
      if (attempts > 0) sum.calls += 1;
      sum.inputTokens += tokenUsage.input;
      sum.outputTokens += tokenUsage.output;
      sum.costUsd += costUsd ?? 0;
      sum.unpriced ||= costUsd === null;
      return outcome;
    },
    sum: () => ({ ...sum }),
  };
}
