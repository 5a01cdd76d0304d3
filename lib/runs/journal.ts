import { z } from 'zod';
import { agentCallSchema, type ToolOutcome } from '#lib/core/agents/agent-records.ts';
import { OBSERVATION_STATUSES } from '#lib/core/agents/tool-calls.ts';
import type { ModelResponse } from '#lib/core/model-request.ts';
import { asQueryable } from '#lib/database/connections.ts';
import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { storedFingerprint, storedForms } from '#lib/models/stored-fingerprint.ts';
import type { CallEntry } from './call-schema.ts';
import { addOtherSpend } from './other-spend.ts';
import { type CallOwner, countCalls, insertCalls, insertToolResult, lockForCalls } from './worker-queries.ts';

/**
 * Stores calls immediately, outside the save of a step. Returns false if another worker has the run or the piece of work, so that its
 * journal gets no second response to a call.
 * A late response is stored only while nobody performs the run and its call has no response yet. The cost of any other late response counts
 * as other spending. `again`: an earlier attempt to store the same calls may have succeeded.
 */
export async function recordCalls(
  database: Database,
  { again = false, ...owner }: CallOwner & { again?: boolean },
  calls: CallEntry[],
): Promise<boolean> {
  if (calls.length === 0) return true;
  if (!again && (await insertCalls(database.pool, owner, calls, 'fenced')) === calls.length) return true;
  return saveLateCalls(database, owner, calls);
}

/**
 * Sorts calls under the lock of their run, so that the next worker finds the stored ones. Returns true if the run still belongs to the
 * caller.
 */
function saveLateCalls(database: Database, owner: CallOwner, calls: CallEntry[]): Promise<boolean> {
  const { runId } = owner;
  return inTransaction(database, async (transaction) => {
    const connection = asQueryable(transaction);
    const run = await lockForCalls(connection, owner);
    // A deleted run accepts no records.
    if (run === null) return false;
    const known = await knownCalls(transaction, runId, calls);
    const isKnown = (call: CallEntry) => known.some((one) => one.key === callKey(call) && one.at === call.createdAt);
    const isAnswered = (call: CallEntry) => known.some((one) => one.key === callKey(call) && one.isAnswered);
    const left = calls.filter((call) => !isKnown(call));
    const isOfUse = (call: CallEntry) =>
      run.isFree && call.text !== null && (call.step < 0 || call.step >= run.openStep) && !isAnswered(call);
    const { kept = [], late = [] } = Object.groupBy(left, (call) => (run.isOwn || isOfUse(call) ? 'kept' : 'late'));
    if (kept.length > 0) await insertCalls(connection, owner, kept, 'late');
    for (const call of late) await saveLateSpend(transaction, runId, run.experimentId, call);
    return run.isOwn;
  });
}

type KnownCall = { key: string; at: string; isAnswered: boolean };

async function knownCalls({ modelCall }: Transaction, runId: string, calls: CallEntry[]): Promise<KnownCall[]> {
  const known = await modelCall.findMany({
    where: { runId, step: { in: calls.map(({ step }) => step) } },
    select: { step: true, ordinal: true, fingerprint: true, createdAt: true, failure: true, text: true },
  });
  return known.map(({ createdAt, failure, text, ...call }) => ({
    key: callKey(call),
    at: createdAt.toISOString(),
    isAnswered: failure === null && text !== null,
  }));
}

/** Returns the key of a request in the journal. It is the same for a fingerprint and its stored form. */
export function callKey({ step, ordinal, fingerprint }: Pick<CallEntry, 'step' | 'ordinal' | 'fingerprint'>): string {
  return `${step} ${ordinal} ${storedFingerprint(fingerprint)}`;
}

/**
 * Records the cost of a call that the journal does not store, once. The cost of a response kept for other runs counts when the run's worker
 * reads it.
 */
async function saveLateSpend(
  transaction: Transaction,
  runId: string,
  experimentId: string,
  { attempts, failure, step, fingerprint, inputTokens, outputTokens, provider, costUsd, createdAt }: CallEntry,
): Promise<void> {
  if (countCalls([{ attempts, failure }]) === 0) return;
  const spent = {
    experimentId,
    purpose: 'late_call',
    createdAt: new Date(createdAt),
    inputTokens,
    outputTokens,
  } as const;
  if ((await transaction.otherSpend.count({ where: spent })) > 0) return;
  const inJournal = { runId, step, fingerprint: { in: storedForms(fingerprint) } };
  if (
    (await transaction.paidReply.count({ where: { runId, step, fingerprint } })) > 0 &&
    (await transaction.modelCall.count({ where: inJournal })) === 0
  )
    return;
  const tokenUsage = { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens };
  const spend = { experimentId, purpose: 'late_call', provider, tokenUsage, costUsd } as const;
  await addOtherSpend({ prisma: transaction }, spend, new Date(createdAt));
}

/** A paid and stored response. */
export type SavedResponse = Omit<ModelResponse, 'tokenDetails'>;

/**
 * Returns the stored responses of steps that were started but not saved, by `callKey`. These calls are not repeated. `step`: the first such
 * step of a run. The next one starts while the save of the first is in progress. A negative step is that of a piece of work.
 */
export async function savedResponses(
  { prisma }: Pick<Database, 'prisma'>,
  runId: string,
  step: number,
): Promise<Map<string, SavedResponse>> {
  const calls = await prisma.modelCall.findMany({
    where: {
      ...{ runId, failure: { equals: Prisma.AnyNull }, text: { not: null } },
      // Retention removes the fingerprint together with the text.
      fingerprint: { not: '' },
      step: step < 0 ? step : { gte: step },
    },
    omit: { instructions: true, prompt: true, conversation: true },
    orderBy: { id: 'desc' },
  });
  return new Map(
    calls.map(({ text, finishReason, inputTokens, outputTokens, ...call }) => {
      const { costUsd, latencyMs, attempts, warnings, toolCalls, callsLeftOut, thought } = call;
      const response: SavedResponse = {
        ...{ text: text ?? '', finishReason: finishReason ?? '', costUsd, latencyMs, attempts, warnings },
        tokenUsage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens },
        ...(toolCalls !== null && { toolCalls: agentCallSchema.array().parse(toolCalls) }),
        ...(callsLeftOut !== null && { callsLeftOut }),
        ...(thought !== null && { thought }),
      };
      return [callKey(call), response] as const;
    }),
  );
}

/** Identifies one tool use. `fingerprint` is that of the tool and its arguments. */
export type ToolUse = { owner: CallOwner; step: number; callId: string; fingerprint: string };

/**
 * Returns the tool results of a step that was started but not saved, by `callId fingerprint`. These tools are not called again. The example
 * scores of a tuning run share one step: see `EXAMPLE_SCORES_STEP`.
 */
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
 * Stores a tool result immediately, outside the save of a step. The first result counts. Does nothing if the run was deleted or another
 * worker performs it, because that worker calls the tool again.
 */
export function saveToolResult(
  database: Pick<Database, 'pool'>,
  use: ToolUse,
  { status, text, durationMs }: ToolOutcome,
  now: Date,
): Promise<void> {
  const result = { ...use, status, text: cleanText(text), durationMs: Math.round(durationMs), now };
  return insertToolResult(database, result);
}
