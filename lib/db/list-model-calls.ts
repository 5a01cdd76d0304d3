import { z } from 'zod';
import type { TokenUsage } from '#lib/reflection/history.ts';
import type { Database } from './database.ts';

const failureColumn = z
  .object({ kind: z.string(), message: z.string(), remedy: z.string(), status: z.number().nullable() })
  .nullable();

/** A model call as it was sent and answered. */
export type CallView = {
  id: number;
  step: number;
  ordinal: number;
  role: string;
  provider: string;
  model: string;
  instructions: string;
  prompt: string;
  text: string | null;
  finishReason: string | null;
  failure: z.infer<typeof failureColumn>;
  tokenUsage: TokenUsage;
  costUsd: number | null;
  latencyMs: number;
  attempts: number;
  warnings: string[];
  createdAt: string;
};

/** All calls of a run in the order they were kept, at most 1,000. */
export async function listModelCalls(database: Database, runId: string): Promise<CallView[]> {
  const rows = await database.prisma.modelCall.findMany({ where: { runId }, orderBy: { id: 'asc' }, take: 1_000 });
  return rows.map((row) => {
    const {
      id,
      step,
      ordinal,
      role,
      provider,
      model,
      instructions,
      prompt,
      text,
      finishReason,
      costUsd,
      latencyMs,
      attempts,
      warnings,
    } = row;
    const tokenUsage = { input: row.inputTokens, output: row.outputTokens, total: row.inputTokens + row.outputTokens };
    const failure = failureColumn.parse(row.failure);
    const createdAt = row.createdAt.toISOString();
    return {
      id,
      step,
      ordinal,
      role,
      provider,
      model,
      instructions,
      prompt,
      text,
      finishReason,
      failure,
      tokenUsage,
      costUsd,
      latencyMs,
      attempts,
      warnings,
      createdAt,
    };
  });
}
