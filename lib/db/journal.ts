import { z } from 'zod';
import { type ToolCall, toolCallSchema } from '#lib/reflection/agents/agent-records.ts';
import type { KeptConversation } from '#lib/reflection/agents/kept-conversation.ts';
import type { MaybeBilled, ModelReply } from '#lib/reflection/model-request.ts';
import { storableJson } from './clean-text.ts';
import type { Database } from './database.ts';

/** A model call to be kept: the question as sent, and the answer or the failure. */
export type CallEntry = {
  step: number;
  ordinal: number;
  fingerprint: string;
  role: string;
  provider: string;
  model: string;
  instructions: string;
  prompt: string;
  options: { temperature: number | null; maxOutputTokens: number | null; output: string | null };
  text: string | null;
  finishReason: string | null;
  failure: { kind: string; message: string; remedy: string; status: number | null } | null;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  latencyMs: number;
  attempts: number;
  warnings: string[];
  /** Of agents' turns, what is new in it; left out of all others. */
  conversation?: KeptConversation;
  toolCalls?: ToolCall[];
  /** Uses of tools beyond `toolCalls` that were asked for; left out where none. */
  callsLeftOut?: number;
  thought?: string;
  cachedTokens?: number | null;
  reasoningTokens?: number | null;
  /** Left out where no try without a reply may have been billed. */
  maybeBilled?: MaybeBilled;
  createdAt: string;
};

/** Columns of `model_calls` for `json_to_recordset`, and the same as a list. */
export const CALL_RECORD = `step int, ordinal int, fingerprint text, role text, provider text, model text, instructions text, prompt text, options json,
  text text, "finishReason" text, failure json, "inputTokens" int, "outputTokens" int, "costUsd" float8, "latencyMs" int, attempts int, warnings text[],
  conversation jsonb, "toolCalls" jsonb, "callsLeftOut" int, thought text, "cachedTokens" int, "reasoningTokens" int, "maybeBilled" jsonb, "createdAt" timestamptz`;
export const CALL_COLUMNS = `run_id, step, ordinal, fingerprint, role, provider, model, instructions, prompt, options, text, finish_reason, failure,
  input_tokens, output_tokens, cost_usd, latency_ms, attempts, warnings, conversation, tool_calls, calls_left_out, thought, cached_tokens, reasoning_tokens, maybe_billed, created_at`;
export const CALL_VALUES = `c.step, c.ordinal, c.fingerprint, c.role, c.provider, c.model, c.instructions, c.prompt, c.options, c.text, c."finishReason", c.failure,
  c."inputTokens", c."outputTokens", c."costUsd", c."latencyMs", c.attempts, c.warnings,
  c.conversation, c."toolCalls", c."callsLeftOut", c.thought, c."cachedTokens", c."reasoningTokens", c."maybeBilled", c."createdAt"`;
/** What calls add to their run's own sums. */
export function sumOf(calls: CallEntry[]) {
  return {
    inputTokens: calls.reduce((sum, call) => sum + call.inputTokens, 0),
    outputTokens: calls.reduce((sum, call) => sum + call.outputTokens, 0),
    costUsd: calls.reduce((sum, call) => sum + (call.costUsd ?? 0), 0),
    unpriced: calls.some((call) => call.costUsd === null),
    callCount: countCalls(calls),
  };
}

/** How many of them were really made: a reply that was paid for before took no call. */
export function countCalls(calls: Pick<CallEntry, 'attempts'>[]): number {
  return calls.filter(({ attempts }) => attempts > 0).length;
}

const RECORD = `
  WITH summed AS (UPDATE runs SET input_tokens = input_tokens + $3, output_tokens = output_tokens + $4, cost_usd = cost_usd + $5, unpriced = unpriced OR $6,
      call_count = call_count + $7
    WHERE id = $1 RETURNING id)
  INSERT INTO model_calls (${CALL_COLUMNS}) SELECT s.id, ${CALL_VALUES} FROM summed s, json_to_recordset($2::json) AS c(${CALL_RECORD})`;

/** Keeps calls at once, outside a step's save. What was paid is kept even when the claim was lost meanwhile. */
export async function recordCalls(database: Database, runId: string, calls: CallEntry[]): Promise<void> {
  if (calls.length === 0) return;
  const { inputTokens, outputTokens, costUsd, unpriced, callCount } = sumOf(calls);
  const values = [runId, storableJson(calls), inputTokens, outputTokens, costUsd, unpriced, callCount];
  await database.pool.query({ name: 'record-calls', text: RECORD, values });
}

const RECORD_ASIDE = `
  WITH summed AS (UPDATE runs SET aside_tokens = aside_tokens + $3, aside_cost_usd = aside_cost_usd + $4 WHERE id = $1 RETURNING id)
  INSERT INTO model_calls (${CALL_COLUMNS}) SELECT s.id, ${CALL_VALUES} FROM summed s, json_to_recordset($2::json) AS c(${CALL_RECORD})`;

/** Keeps calls made for a run beside its loop. They stay out of the run's own sums and budgets, but not out of its experiment's. */
export async function recordCallsAside(database: Database, runId: string, calls: CallEntry[]): Promise<void> {
  if (calls.length === 0) return;
  const { inputTokens, outputTokens, costUsd } = sumOf(calls);
  await database.pool.query(RECORD_ASIDE, [runId, storableJson(calls), inputTokens + outputTokens, costUsd]);
}

/** A reply that was paid for and kept. */
export type SavedReply = Omit<ModelReply, 'tokenDetails'>;

const savedReplyRow = z.object({
  ordinal: z.int(),
  fingerprint: z.string(),
  text: z.string(),
  finish_reason: z.string(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost_usd: z.number().nullable(),
  latency_ms: z.int(),
  attempts: z.int(),
  warnings: z.array(z.string()),
  tool_calls: z.array(toolCallSchema).nullable(),
  calls_left_out: z.int().nullable(),
  thought: z.string().nullable(),
});

/** The saved replies of a step that was begun but not saved, by `ordinal fingerprint`: they are not asked for again. */
export async function savedReplies(database: Database, runId: string, step: number): Promise<Map<string, SavedReply>> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'saved-replies',
    text: `SELECT ordinal, fingerprint, text, finish_reason, input_tokens, output_tokens, cost_usd, latency_ms, attempts, warnings, tool_calls, calls_left_out, thought
      FROM model_calls WHERE run_id = $1 AND step = $2 AND failure IS NULL AND text IS NOT NULL ORDER BY id DESC`,
    values: [runId, step],
  });
  return new Map(
    rows.map((row) => {
      const saved = savedReplyRow.parse(row);
      const tokenUsage = {
        input: saved.input_tokens,
        output: saved.output_tokens,
        total: saved.input_tokens + saved.output_tokens,
      };
      const { text, attempts, warnings } = saved;
      const reply: SavedReply = {
        text,
        finishReason: saved.finish_reason,
        tokenUsage,
        costUsd: saved.cost_usd,
        latencyMs: saved.latency_ms,
        attempts,
        warnings,
        ...(saved.tool_calls !== null && { toolCalls: saved.tool_calls }),
        ...(saved.calls_left_out !== null && { callsLeftOut: saved.calls_left_out }),
        ...(saved.thought !== null && { thought: saved.thought }),
      };
      return [`${saved.ordinal} ${saved.fingerprint}`, reply] as const;
    }),
  );
}
