import { z } from 'zod';
import { agentCallSchema } from '#lib/core/agents/agent-records.ts';
import type { ModelResponse } from '#lib/core/model-request.ts';
import { responseContent } from '#lib/core/reused-responses.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { isReferenceError } from '#lib/database/transactions.ts';
import type { PaidRequest } from './queries.ts';
import { storedForms } from './stored-fingerprint.ts';

/** Owner of a saved or requested response: a step of a run, or a prompt's playground. */
export type PaidOwner = { runId: string; step: number } | { promptName: string };

/** Parts of a response that only an agent's turn has. */
const agentContent = z.object({
  toolCalls: agentCallSchema.array().optional(),
  callsLeftOut: z.int().optional(),
  thought: z.string().optional(),
});

/**
 * Returns the saved response with its original cost, or null if there is none. `lost` is true if the caller's own step paid for it but was
 * killed before journaling it. `asCall` is the fingerprint of the call in the journal.
 */
export async function findSavedResponse(
  { prisma }: DatabaseClient,
  { fingerprint, asCall, slot }: PaidRequest & { asCall: string },
  owner: PaidOwner,
): Promise<{ reply: ModelResponse; lost: boolean } | null> {
  const found = await prisma.paidReply.findUnique({ where: { fingerprint_slot: { fingerprint, slot } } });
  if (found === null) return null;
  const { text, finishReason, inputTokens, outputTokens, costUsd, latencyMs, said } = found;
  const isOwn = 'runId' in owner && found.runId === owner.runId && found.step === owner.step;
  const journaled = isOwn
    ? await prisma.modelCall.findFirst({
        where: {
          ...{ runId: owner.runId, step: owner.step, fingerprint: { in: storedForms(asCall) } },
          failure: { equals: Prisma.DbNull },
        },
        select: { id: true },
      })
    : null;
  const tokenUsage = { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens };
  const whole = { text, finishReason, ...(said !== null && agentContent.parse(said)) };
  const reply = { ...responseContent(whole), tokenUsage, costUsd, latencyMs, attempts: 1, warnings: [] };
  return { reply, lost: isOwn && journaled === null };
}

/** Saves a response for later identical requests, for the lifetime of its owner. Does nothing if the owner was deleted. */
export async function saveResponse(
  { prisma }: DatabaseClient,
  { fingerprint, slot, provider }: PaidRequest & { provider: string },
  owner: PaidOwner,
  response: ModelResponse,
  now: Date,
): Promise<void> {
  const { tokenUsage, costUsd, latencyMs } = response;
  const { text, finishReason, ...ofAgent } = responseContent(response);
  const data = {
    ...(Object.keys(ofAgent).length > 0 && { said: cleanJson(ofAgent) }),
    ...{ fingerprint, slot, provider, ...owner, text: cleanText(text), finishReason, costUsd, createdAt: now },
    inputTokens: tokenUsage.input,
    outputTokens: tokenUsage.output,
    latencyMs: Math.round(latencyMs),
  };
  try {
    await prisma.paidReply.createMany({ data, skipDuplicates: true });
  } catch (error) {
    if (!isReferenceError(error)) throw error;
  }
}

/** Deletes the saved responses of a provider because its name may now refer to a different service. */
export async function deleteSavedResponses(transaction: Prisma.TransactionClient, provider: string): Promise<void> {
  await transaction.paidReply.deleteMany({ where: { provider } });
}

/** Releases a model request that was completed or abandoned. */
export async function releaseModelRequest(
  { prisma }: DatabaseClient,
  { fingerprint, slot }: PaidRequest,
  holder: string,
): Promise<void> {
  await prisma.paidQuestion.deleteMany({ where: { fingerprint, slot, heldBy: holder } });
}
