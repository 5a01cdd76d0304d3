import { toolCallSchema } from '#lib/core/agents/agent-records.ts';
import type { Database } from '#lib/database/database.ts';
import type { ModelCall } from '#lib/database/generated/client.ts';
import { type CallRecord, callFailureSchema, callOptionsSchema, callSummarySchema } from './call-record.ts';
import { type StoredConversation, storedConversationSchema, wholeConversation } from './stored-conversation.ts';

/** A call without the version it was about, which the run's history tells. */
export type StoredCall = Omit<CallRecord, 'version'>;

/** A call of a run whole, but for the version it was about; null where the run has none of this id. */
export async function findCall(database: Database, runId: string, id: number): Promise<StoredCall | null> {
  const row = await database.prisma.modelCall.findFirst({ where: { id, runId } });
  return row === null ? null : callOfRow(row, await conversationParts(database, row));
}

/** What is stored of the call's conversation and of those it goes on from, the latest first; none where it has no conversation. */
async function conversationParts(
  { pool }: Database,
  { id, runId, conversation }: ModelCall,
): Promise<StoredConversation[]> {
  if (conversation === null) return [];
  const { rows } = await pool.query<{ conversation: unknown }>(PARTS, [runId, id]);
  return rows.map((part) => storedConversationSchema.parse(part.conversation));
}

/** Each part goes on from an earlier call, so the way back ends. */
const PARTS = `
  WITH RECURSIVE part AS (
    SELECT id, conversation, 0 AS depth FROM model_calls WHERE run_id = $1 AND id = $2
    UNION ALL
    SELECT earlier.id, earlier.conversation, part.depth + 1
    FROM part CROSS JOIN LATERAL (
      SELECT c.id, c.conversation FROM model_calls c
      WHERE c.run_id = $1 AND c.id < part.id AND c.fingerprint = part.conversation->>'after' AND c.conversation IS NOT NULL
      ORDER BY c.id DESC LIMIT 1) AS earlier)
  SELECT conversation FROM part ORDER BY depth`;

/** A call as its row tells it, with the parts of its conversation, the latest first. */
export function callOfRow(row: ModelCall, parts: readonly StoredConversation[]): StoredCall {
  const { id, step, ordinal, role, provider, model, instructions, prompt, text, thought, finishReason } = row;
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens, costUsd, latencyMs, attempts, warnings } = row;
  return {
    id,
    step,
    ordinal,
    role,
    provider,
    model,
    instructions,
    prompt,
    options: callOptionsSchema.parse(row.options),
    conversation: wholeConversation(parts),
    text,
    thought,
    toolCalls: toolCallSchema.array().nullable().parse(row.toolCalls),
    finishReason,
    failure: callFailureSchema.nullable().parse(row.failure),
    tokenUsage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
    cachedTokens,
    reasoningTokens,
    costUsd,
    maybeBilled: callSummarySchema.shape.maybeBilled.parse(row.maybeBilled),
    latencyMs,
    attempts,
    warnings:
      parts.length > 0 && parts.at(-1)?.after !== null
        ? [...warnings, 'The beginning of its conversation is not stored any more, so none of it is shown.']
        : warnings,
    createdAt: row.createdAt.toISOString(),
  };
}
