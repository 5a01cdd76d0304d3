import { z } from 'zod';
import { type ToolCall, toolCallSchema } from '#lib/core/agents/agent-records.ts';
import type { MaybeBilled, ModelReply } from '#lib/core/model-request.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import type { StoredConversation } from './call-schema.ts';
import { NEW_REVISION } from './measures.ts';
import { addOtherSpend } from './other-spend.ts';
import type { WorkTable } from './queued-work.ts';

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
  conversation?: StoredConversation;
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

const INSERT = `INSERT INTO model_calls (${CALL_COLUMNS}) SELECT s.id, ${CALL_VALUES} FROM summed s, json_to_recordset($2::json) AS c(${CALL_RECORD})`;
const ADD_SUMS = `UPDATE runs SET input_tokens = input_tokens + $3, output_tokens = output_tokens + $4, cost_usd = cost_usd + $5, unpriced = unpriced OR $6,
      call_count = call_count + $7`;
/** Adds calls to the run that is named so, and keeps them. A run that had ended has changed by that. */
const recordWhere = (run: string) => `
  WITH summed AS (${ADD_SUMS} WHERE ${run} RETURNING id, finished_at),
  ended AS (UPDATE run_measures m SET revision = ${NEW_REVISION} FROM summed s WHERE s.finished_at IS NOT NULL AND m.run_id = s.id)
  ${INSERT}`;
const RECORD = recordWhere('id = $1 AND ($8::int IS NULL OR claim = $8)');
const RECORD_LATE = recordWhere('id = $1');

/**
 * Who keeps calls of a run: the worker that performs it under a claim, or somebody who asks for it beside its worker (`claim: null`).
 * `again`: an earlier try to keep the same calls may have got through.
 */
export type CallKeeper = { runId: string; claim: number | null; again?: boolean };

/**
 * Keeps calls at once, outside a step's save. Answers false where another worker has the run: its journal then gets no second answer to
 * a question. A late answer is kept only while nobody performs the run and its question has none; of all others the cost counts as
 * other spending.
 */
export async function recordCalls(
  database: Database,
  { runId, claim, again = false }: CallKeeper,
  calls: CallEntry[],
): Promise<boolean> {
  if (calls.length === 0) return true;
  if (!again) {
    const values = [...recordValues(runId, calls), claim];
    const { rowCount } = await database.pool.query({ name: 'record-calls', text: RECORD, values });
    if (rowCount === calls.length) return true;
  }
  return keepLate(database, calls, async (client) => {
    const { rows } = await client.query<LockedRun>(
      `SELECT experiment_id, claim IS NOT DISTINCT FROM coalesce($2::int, claim) AS "isOwn", status <> 'running' AS "isFree", step AS "openStep"
       FROM runs WHERE id = $1 FOR UPDATE`,
      [runId, claim],
    );
    const keep = (kept: CallEntry[]) => client.query(RECORD_LATE, recordValues(runId, kept));
    return { runId, run: rows[0] ?? null, keep };
  });
}

function recordValues(runId: string, calls: CallEntry[]) {
  const { inputTokens, outputTokens, costUsd, unpriced, callCount } = sumOf(calls);
  return [runId, storableJson(calls), inputTokens, outputTokens, costUsd, unpriced, callCount];
}

/** A run as its late worker finds it: `openStep` is the first step whose answers are of use. */
type LockedRun = { experiment_id: string; isOwn: boolean; isFree: boolean; openStep: number };
type Locked = { runId: string; run: LockedRun | null; keep: (calls: CallEntry[]) => Promise<unknown> };

/** Sorts calls under the lock of their run, so that whoever takes it next finds what was kept. Answers whether the run is still the caller's own. */
function keepLate(
  database: Database,
  calls: CallEntry[],
  lock: (client: Queryable) => Promise<Locked>,
): Promise<boolean> {
  return inPoolTransaction(database, async (client) => {
    const { runId, run, keep } = await lock(client);
    // Nobody can add to a run that was deleted.
    if (run === null) return false;
    const known = await knownCalls(client, runId, calls);
    const isKnown = (call: CallEntry) => known.some((one) => one.place === placeOf(call) && one.at === call.createdAt);
    const isAnswered = (call: CallEntry) => known.some((one) => one.place === placeOf(call) && one.isAnswered);
    const left = calls.filter((call) => !isKnown(call));
    const isOfUse = (call: CallEntry) =>
      run.isFree && call.text !== null && (call.step < 0 || call.step >= run.openStep) && !isAnswered(call);
    const { kept = [], late = [] } = Object.groupBy(left, (call) => (run.isOwn || isOfUse(call) ? 'kept' : 'late'));
    if (kept.length > 0) await keep(kept);
    for (const call of late) await keepLateSpend(client, runId, run.experiment_id, call);
    return run.isOwn;
  });
}

type KnownCall = { place: string; at: string; isAnswered: boolean };

async function knownCalls(client: Queryable, runId: string, calls: CallEntry[]): Promise<KnownCall[]> {
  const { rows } = await client.query<{
    step: number;
    ordinal: number;
    fingerprint: string;
    created_at: Date;
    isAnswered: boolean;
  }>(
    `SELECT step, ordinal, fingerprint, created_at, failure IS NULL AND text IS NOT NULL AS "isAnswered"
     FROM model_calls WHERE run_id = $1 AND step = ANY ($2::int[])`,
    [runId, calls.map(({ step }) => step)],
  );
  return rows.map((row) => ({ place: placeOf(row), at: row.created_at.toISOString(), isAnswered: row.isAnswered }));
}

function placeOf({ step, ordinal, fingerprint }: Pick<CallEntry, 'step' | 'ordinal' | 'fingerprint'>): string {
  return `${step} ${ordinal} ${fingerprint}`;
}

/** What a call cost that the journal does not keep, once. A reply that was kept for others counts when the run's worker reads it. */
async function keepLateSpend(client: Queryable, runId: string, experimentId: string, call: CallEntry): Promise<void> {
  if (countCalls([call]) === 0) return;
  const { rowCount } = await client.query(
    `SELECT 1 FROM other_spend WHERE experiment_id = $1 AND purpose = 'late_call' AND created_at = $2 AND input_tokens = $3 AND output_tokens = $4
     UNION ALL SELECT 1 FROM paid_replies p WHERE p.run_id = $5 AND p.step = $6 AND p.fingerprint = $7
       AND NOT EXISTS (SELECT 1 FROM model_calls m WHERE m.run_id = $5 AND m.step = $6 AND m.fingerprint = $7)`,
    [experimentId, call.createdAt, call.inputTokens, call.outputTokens, runId, call.step, call.fingerprint],
  );
  if (rowCount !== 0) return;
  const { inputTokens: input, outputTokens: output, provider, costUsd } = call;
  const tokenUsage = { input, output, total: input + output };
  const spend = { experimentId, purpose: 'late_call', provider, tokenUsage, costUsd } as const;
  await addOtherSpend({ pool: client }, spend, new Date(call.createdAt));
}

const ADD_ASIDE =
  'UPDATE runs SET aside_tokens = aside_tokens + $3, aside_cost_usd = aside_cost_usd + $4 WHERE id = $1';

/** A piece of work beside a run's loop, and who holds it. */
export type AsideKeeper = { table: WorkTable; runId: string; number: number; holder: string; again?: boolean };

/**
 * Keeps calls made for a run beside its loop. They stay out of the run's own sums and budgets, but not out of its experiment's. Answers
 * false where another worker holds the piece: see `recordCalls`.
 */
export async function recordCallsAside(
  database: Database,
  { table, runId, number, holder, again = false }: AsideKeeper,
  calls: CallEntry[],
): Promise<boolean> {
  if (calls.length === 0) return true;
  const values = (kept: CallEntry[]) => {
    const { inputTokens, outputTokens, costUsd } = sumOf(kept);
    return [runId, storableJson(kept), inputTokens + outputTokens, costUsd];
  };
  if (!again) {
    // The piece is held while the calls are written: nobody takes it in between.
    const { rowCount } = await database.pool.query(
      `WITH held AS (SELECT run_id FROM ${table} WHERE run_id = $1 AND number = $5 AND held_by = $6 AND status = 'waiting' FOR SHARE),
         summed AS (${ADD_ASIDE} AND EXISTS (SELECT 1 FROM held) RETURNING id) ${INSERT}`,
      [...values(calls), number, holder],
    );
    if (rowCount === calls.length) return true;
  }
  return keepLate(database, calls, async (client) => {
    const { rows } = await client.query<LockedRun>(
      `SELECT r.experiment_id, w.held_by IS NOT DISTINCT FROM $3 AND w.status = 'waiting' AS "isOwn", w.held_by IS NULL AND w.status = 'waiting' AS "isFree", 0 AS "openStep"
       FROM runs r JOIN ${table} w ON w.run_id = r.id WHERE r.id = $1 AND w.number = $2 FOR UPDATE`,
      [runId, number, holder],
    );
    const keep = (kept: CallEntry[]) =>
      client.query(`WITH summed AS (${ADD_ASIDE} RETURNING id) ${INSERT}`, values(kept));
    return { runId, run: rows[0] ?? null, keep };
  });
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
