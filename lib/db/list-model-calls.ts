import { z } from 'zod';
import type { TokenUsage } from '#lib/reflection/history.ts';
import type { Database } from './database.ts';

const failureColumn = z
  .object({ kind: z.string(), message: z.string(), remedy: z.string(), status: z.number().nullable() })
  .nullable();

const optionsColumn = z.object({
  temperature: z.number().nullable(),
  maxOutputTokens: z.int().nullable(),
  output: z.string().nullable(),
});

/** A model call as it was sent and answered. `output` is the name of the JSON shape that was asked for. */
export type CallView = {
  id: number;
  step: number;
  ordinal: number;
  role: string;
  provider: string;
  model: string;
  instructions: string;
  prompt: string;
  options: z.infer<typeof optionsColumn>;
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

/** The most calls of a run that are read. */
export const MOST_CALLS = 1_000;

/** The calls of a run in the order they were kept, at most `MOST_CALLS`. */
export async function listModelCalls(database: Database, runId: string): Promise<CallView[]> {
  const rows = await database.prisma.modelCall.findMany({ where: { runId }, orderBy: { id: 'asc' }, take: MOST_CALLS });
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
    const options = optionsColumn.parse(row.options);
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
      options,
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
