import { z } from 'zod';
import { agentMessageSchema, toolCallSchema } from '#lib/core/agents/agent-records.ts';
import { offeredToolSchema } from './stored-conversation.ts';

const count = z.int().min(0);

/** A model call as lists show it: all but what was said. */
export const callSummarySchema = z.object({
  id: z.int(),
  step: z.int().meta({ description: 'Step of the run; below 0 where it was made beside the loop.' }),
  ordinal: count,
  role: z.string(),
  provider: z.string(),
  model: z.string(),
  version: z.int().nullable().meta({ description: 'The version it was about.' }),
  finishReason: z.string().nullable(),
  failureKind: z.string().nullable(),
  tools: z.array(z.string()).meta({ description: 'Of an agent: what it wanted to use.' }),
  tokenUsage: z.object({ input: count, output: count, total: count }),
  cachedTokens: count
    .nullable()
    .meta({ description: "Of those in, read from the provider's cache; null: not reported." }),
  reasoningTokens: count.nullable().meta({ description: 'Of those out, thought; null: not reported.' }),
  costUsd: z.number().nullable(),
  latencyMs: count,
  maybeBilled: z.object({ tries: count, input: count, output: count, costUsd: z.number().nullable() }).nullable().meta({
    description:
      'Tries without a reply that may have been billed, estimated; part of tokenUsage and costUsd. Null where none.',
  }),
  attempts: count.meta({ description: '0: it was not made, or paid for before.' }),
  warnings: count,
  createdAt: z.iso.datetime(),
});
export type CallSummary = z.infer<typeof callSummarySchema>;

export const callOptionsSchema = z.object({
  temperature: z.number().nullable(),
  maxOutputTokens: z.int().nullable(),
  output: z.string().nullable().meta({ description: 'Name of the JSON shape that was asked for.' }),
});
export const callFailureSchema = z.object({
  kind: z.string(),
  message: z.string(),
  remedy: z.string(),
  status: z.number().nullable(),
});

/** A model call whole, as it was sent and received; what looks like a key is blotted out. */
export const callRecordSchema = callSummarySchema.omit({ warnings: true, failureKind: true, tools: true }).extend({
  instructions: z.string(),
  prompt: z.string(),
  options: callOptionsSchema,
  conversation: z
    .object({ messages: z.array(agentMessageSchema), tools: z.array(offeredToolSchema) })
    .nullable()
    .meta({ description: 'Of an agent: what was said after the prompt, and the tools it was told of.' }),
  text: z.string().nullable(),
  thought: z.string().nullable(),
  toolCalls: z.array(toolCallSchema).nullable(),
  failure: callFailureSchema.nullable(),
  warnings: z.array(z.string()),
});
export type CallRecord = z.infer<typeof callRecordSchema>;
