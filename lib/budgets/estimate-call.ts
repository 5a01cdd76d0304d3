import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { priceOf } from '#lib/providers/price-of.ts';
import type { SpendLedger } from './spend-ledger.ts';

/** What a call may take; `costUsd` is null where its model has no known price. */
export type CallEstimate = { tokens: number; costUsd: number | null };

/** Length taken for an answer before there was one of its kind, in tokens. */
const FIRST_OUTPUT_TOKENS = 256;

/** Estimates a call before it is made: what is sent by its length, the answer by those that came so far in its role from its model. */
export async function estimateCall(
  { pricesOf, answers }: Pick<SpendLedger, 'pricesOf' | 'answers'>,
  request: ModelRequest,
  now: Date,
): Promise<CallEstimate> {
  const { role, model, instructions, prompt, conversation, maxOutputTokens } = request;
  const said = conversation === undefined ? 0 : estimatedTokens(JSON.stringify(conversation));
  const input = estimatedTokens(instructions) + estimatedTokens(prompt) + said;
  const usual = role === 'embed' ? 0 : (answers.get(kindOf(request))?.mean ?? FIRST_OUTPUT_TOKENS);
  const output = Math.ceil(Math.min(usual, maxOutputTokens ?? Number.POSITIVE_INFINITY));
  const configuration = await pricesOf(model.provider);
  const costUsd =
    configuration === null ? null : priceOf(configuration, model.model, { input, output, cached: 0 }, now);
  return { tokens: input + output, costUsd };
}

/** Keeps in mind how long an answer was. */
export function rememberAnswer(
  { answers }: Pick<SpendLedger, 'answers'>,
  request: ModelRequest,
  outcome: ModelOutcome,
): void {
  if (!outcome.ok || outcome.reply.attempts === 0) return;
  const { tokenUsage, maybeBilled } = outcome.reply;
  const output = tokenUsage.output - (maybeBilled?.output ?? 0);
  const { n, mean } = answers.get(kindOf(request)) ?? { n: 0, mean: 0 };
  answers.set(kindOf(request), { n: n + 1, mean: mean + (output - mean) / (n + 1) });
}

function kindOf({ role, model }: ModelRequest): string {
  return JSON.stringify([role, model.provider, model.model]);
}
