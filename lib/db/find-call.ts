import { toolCallSchema } from '#lib/reflection/agents/agent-records.ts';
import {
  type CallRecord,
  callFailureSchema,
  callOptionsSchema,
  storedConversationSchema,
} from '#lib/reflection/call-record.ts';
import type { Database } from './database.ts';
import type { ModelCall } from './generated/client.ts';

/** A call without the version it was about, which the run's history tells. */
export type StoredCall = Omit<CallRecord, 'version'>;

/** A call of a run whole, but for the version it was about; null where the run has none of this id. */
export async function findCall(database: Database, runId: string, id: number): Promise<StoredCall | null> {
  const row = await database.prisma.modelCall.findFirst({ where: { id, runId } });
  return row === null ? null : callOfRow(row);
}

/** A call as its row tells it. */
export function callOfRow(row: ModelCall): StoredCall {
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
    conversation: storedConversationSchema.nullable().parse(row.conversation),
    text,
    thought,
    toolCalls: toolCallSchema.array().nullable().parse(row.toolCalls),
    finishReason,
    failure: callFailureSchema.nullable().parse(row.failure),
    tokenUsage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
    cachedTokens,
    reasoningTokens,
    costUsd,
    latencyMs,
    attempts,
    warnings,
    createdAt: row.createdAt.toISOString(),
  };
}
