import { z } from 'zod';
import {
  OBSERVATION_STATUSES,
  type ToolCall,
  type ToolOutcome,
  toolCallSchema,
} from '#lib/core/agents/agent-records.ts';
import type { MaybeBilled, ModelReply } from '#lib/core/model-request.ts';
import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanText, storableJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
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
  return keepLate(database, calls, async (transaction) => {
    const [run] = await transaction.$queryRawUnsafe<LockedRun[]>(
      `SELECT experiment_id AS "experimentId", claim IS NOT DISTINCT FROM coalesce($2::int, claim) AS "isOwn", status <> 'running' AS "isFree", step AS "openStep"
       FROM runs WHERE id = $1::uuid FOR UPDATE`,
      ...[runId, claim],
    );
    const keep = (kept: CallEntry[]) => transaction.$executeRawUnsafe(RECORD_LATE, ...recordValues(runId, kept));
    return { runId, run: run ?? null, keep };
  });
}

function recordValues(runId: string, calls: CallEntry[]) {
  const { inputTokens, outputTokens, costUsd, unpriced, callCount } = sumOf(calls);
  return [runId, storableJson(calls), inputTokens, outputTokens, costUsd, unpriced, callCount];
}

/** A run as its late worker finds it: `openStep` is the first step whose answers are of use. */
type LockedRun = { experimentId: string; isOwn: boolean; isFree: boolean; openStep: number };
type Locked = { runId: string; run: LockedRun | null; keep: (calls: CallEntry[]) => Promise<unknown> };

/** Sorts calls under the lock of their run, so that whoever takes it next finds what was kept. Answers whether the run is still the caller's own. */
function keepLate(
  database: Database,
  calls: CallEntry[],
  lock: (transaction: Transaction) => Promise<Locked>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const { runId, run, keep } = await lock(transaction);
    // Nobody can add to a run that was deleted.
    if (run === null) return false;
    const known = await knownCalls(transaction, runId, calls);
    const isKnown = (call: CallEntry) => known.some((one) => one.place === placeOf(call) && one.at === call.createdAt);
    const isAnswered = (call: CallEntry) => known.some((one) => one.place === placeOf(call) && one.isAnswered);
    const left = calls.filter((call) => !isKnown(call));
    const isOfUse = (call: CallEntry) =>
      run.isFree && call.text !== null && (call.step < 0 || call.step >= run.openStep) && !isAnswered(call);
    const { kept = [], late = [] } = Object.groupBy(left, (call) => (run.isOwn || isOfUse(call) ? 'kept' : 'late'));
    if (kept.length > 0) await keep(kept);
    for (const call of late) await keepLateSpend(transaction, runId, run.experimentId, call);
    return run.isOwn;
  });
}

type KnownCall = { place: string; at: string; isAnswered: boolean };

async function knownCalls({ modelCall }: Transaction, runId: string, calls: CallEntry[]): Promise<KnownCall[]> {
  const known = await modelCall.findMany({
    where: { runId, step: { in: calls.map(({ step }) => step) } },
    select: { step: true, ordinal: true, fingerprint: true, createdAt: true, failure: true, text: true },
  });
  return known.map(({ createdAt, failure, text, ...call }) => ({
    place: placeOf(call),
    at: createdAt.toISOString(),
    isAnswered: failure === null && text !== null,
  }));
}

function placeOf({ step, ordinal, fingerprint }: Pick<CallEntry, 'step' | 'ordinal' | 'fingerprint'>): string {
  return `${step} ${ordinal} ${fingerprint}`;
}

/** What a call cost that the journal does not keep, once. A reply that was kept for others counts when the run's worker reads it. */
async function keepLateSpend(
  transaction: Transaction,
  runId: string,
  experimentId: string,
  { attempts, step, fingerprint, inputTokens, outputTokens, provider, costUsd, createdAt }: CallEntry,
): Promise<void> {
  if (countCalls([{ attempts }]) === 0) return;
  const spent = {
    experimentId,
    purpose: 'late_call',
    createdAt: new Date(createdAt),
    inputTokens,
    outputTokens,
  } as const;
  if ((await transaction.otherSpend.count({ where: spent })) > 0) return;
  const reply = { runId, step, fingerprint };
  if (
    (await transaction.paidReply.count({ where: reply })) > 0 &&
    (await transaction.modelCall.count({ where: reply })) === 0
  )
    return;
  const tokenUsage = { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens };
  const spend = { experimentId, purpose: 'late_call', provider, tokenUsage, costUsd } as const;
  await addOtherSpend({ prisma: transaction }, spend, new Date(createdAt));
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
  return keepLate(database, calls, async (transaction) => {
    const [run] = await transaction.$queryRawUnsafe<LockedRun[]>(
      `SELECT r.experiment_id AS "experimentId", w.held_by IS NOT DISTINCT FROM $3::uuid AND w.status = 'waiting' AS "isOwn", w.held_by IS NULL AND w.status = 'waiting' AS "isFree", 0 AS "openStep"
       FROM runs r JOIN ${table} w ON w.run_id = r.id WHERE r.id = $1::uuid AND w.number = $2 FOR UPDATE`,
      ...[runId, number, holder],
    );
    const keep = (kept: CallEntry[]) =>
      transaction.$executeRawUnsafe(`WITH summed AS (${ADD_ASIDE} RETURNING id) ${INSERT}`, ...values(kept));
    return { runId, run: run ?? null, keep };
  });
}

/** A reply that was paid for and kept. */
export type SavedReply = Omit<ModelReply, 'tokenDetails'>;

/** The saved replies of a step that was begun but not saved, by `ordinal fingerprint`: they are not asked for again. */
export async function savedReplies(
  { prisma }: Pick<Database, 'prisma'>,
  runId: string,
  step: number,
): Promise<Map<string, SavedReply>> {
  const calls = await prisma.modelCall.findMany({
    where: { runId, step, failure: { equals: Prisma.AnyNull }, text: { not: null } },
    omit: { instructions: true, prompt: true, conversation: true },
    orderBy: { id: 'desc' },
  });
  return new Map(
    calls.map(({ ordinal, fingerprint, text, finishReason, inputTokens, outputTokens, ...call }) => {
      const { costUsd, latencyMs, attempts, warnings, toolCalls, callsLeftOut, thought } = call;
      const reply: SavedReply = {
        ...{ text: text ?? '', finishReason: finishReason ?? '', costUsd, latencyMs, attempts, warnings },
        tokenUsage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
        ...(toolCalls !== null && { toolCalls: toolCallSchema.array().parse(toolCalls) }),
        ...(callsLeftOut !== null && { callsLeftOut }),
        ...(thought !== null && { thought }),
      };
      return [`${ordinal} ${fingerprint}`, reply] as const;
    }),
  );
}

/** Which use of a tool it was: `fingerprint` is that of the tool and its arguments. */
export type ToolUse = { runId: string; claim: number; step: number; callId: string; fingerprint: string };

/** What tools answered in a step that was begun but not saved, by `callId fingerprint`: they are not used again. */
export async function savedToolResults(
  { prisma }: Pick<Database, 'prisma'>,
  runId: string,
  step: number,
): Promise<Map<string, ToolOutcome>> {
  const results = await prisma.toolResult.findMany({ where: { runId, step } });
  return new Map(
    results.map(({ callId, fingerprint, status, text, durationMs }) => [
      `${callId} ${fingerprint}`,
      { status: z.enum(OBSERVATION_STATUSES).parse(status), text, durationMs },
    ]),
  );
}

/**
 * Keeps what a tool answered, at once and outside a step's save; the first answer counts. Nothing where the run was deleted, or where
 * another worker performs it: that one uses the tool itself.
 */
export async function saveToolResult(
  { pool }: Pick<Database, 'pool'>,
  { runId, claim, step, callId, fingerprint }: ToolUse,
  { status, text, durationMs }: ToolOutcome,
  now: Date,
): Promise<void> {
  await pool.query({
    name: 'keep-tool-result',
    text: `INSERT INTO tool_results (run_id, step, call_id, fingerprint, status, text, duration_ms, created_at)
      SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM (
        SELECT id FROM runs WHERE id = $1 AND (claim = $9 OR status <> 'running') FOR SHARE) r
      ON CONFLICT DO NOTHING`,
    values: [runId, step, callId, fingerprint, status, cleanText(text), Math.round(durationMs), now, claim],
  });
}
