import { z } from 'zod';
import { toolCallSchema } from '#lib/core/agents/agent-records.ts';
import type { ModelReply } from '#lib/core/model-request.ts';
import { replyContent } from '#lib/core/paid-before.ts';
import type { Database } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import type { PaidQuestion } from './queries.ts';

/** Who paid for a reply, or asks for one: a step of a run, or a prompt's playground. */
export type PaidOwner = { runId: string; step: number } | { promptName: string };

/** The parts of a reply that only an agent's turn has. */
const agentContent = z.object({
  toolCalls: toolCallSchema.array().optional(),
  callsLeftOut: z.int().optional(),
  thought: z.string().optional(),
});

/**
 * The reply that was paid for, with what it cost then; null where nobody asked yet. `lost`: the asker's own step paid for it, but
 * was killed before its journal had it. `asCall`: the fingerprint of the call in the journal.
 */
export async function findSavedResponse(
  { prisma }: Pick<Database, 'prisma'>,
  { fingerprint, asCall, slot }: PaidQuestion & { asCall: string },
  owner: PaidOwner,
): Promise<{ reply: ModelReply; lost: boolean } | null> {
  const found = await prisma.paidReply.findUnique({ where: { fingerprint_slot: { fingerprint, slot } } });
  if (found === null) return null;
  const { text, finishReason, inputTokens, outputTokens, costUsd, latencyMs, said } = found;
  const isOwn = 'runId' in owner && found.runId === owner.runId && found.step === owner.step;
  const journaled = isOwn
    ? await prisma.modelCall.findFirst({
        where: { runId: owner.runId, step: owner.step, fingerprint: asCall, failure: { equals: Prisma.DbNull } },
        select: { id: true },
      })
    : null;
  const tokenUsage = { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens };
  const whole = { text, finishReason, ...(said !== null && agentContent.parse(said)) };
  const reply = { ...replyContent(whole), tokenUsage, costUsd, latencyMs, attempts: 1, warnings: [] };
  return { reply, lost: isOwn && journaled === null };
}

/** Keeps a reply of a provider's model for whoever asks the same again, as long as its owner is there. An owner that was deleted keeps nothing. */
export async function saveResponse(
  { prisma }: Pick<Database, 'prisma'>,
  { fingerprint, slot, provider }: PaidQuestion & { provider: string },
  owner: PaidOwner,
  reply: ModelReply,
  now: Date,
): Promise<void> {
  const { tokenUsage, costUsd, latencyMs } = reply;
  const { text, finishReason, ...ofAgent } = replyContent(reply);
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
    const isOwnerGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';
    if (!isOwnerGone) throw error;
  }
}

/** Forgets what a provider's models answered: under its name somebody else may answer now. */
export async function forgetPaidReplies(transaction: Prisma.TransactionClient, provider: string): Promise<void> {
  await transaction.paidReply.deleteMany({ where: { provider } });
}

/** Lets go of a question: it was answered, or is not asked after all. */
export async function leaveQuestion(
  { prisma }: Pick<Database, 'prisma'>,
  { fingerprint, slot }: PaidQuestion,
  holder: string,
): Promise<void> {
  await prisma.paidQuestion.deleteMany({ where: { fingerprint, slot, heldBy: holder } });
}
