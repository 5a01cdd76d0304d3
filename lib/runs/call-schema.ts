import { z } from 'zod';
import {
  type AgentCall,
  agentMessageSchema,
  type Conversation,
  toolCallSchema,
} from '#lib/core/agents/agent-records.ts';
import type { MaybeBilled } from '#lib/core/model-request.ts';
import { samplingSchema } from '#lib/core/model-settings.ts';

const offeredToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});

/**
 * Stored conversation: its new part since the conversation with the fingerprint `after`, whose messages come first and whose tools apply
 * (`tools` is null then). If `after` is null or omitted, the conversation is complete.
 */
export const storedConversationSchema = z.object({
  after: z.string().nullable().default(null),
  messages: z.array(agentMessageSchema),
  tools: z.array(offeredToolSchema).nullable(),
});
export type StoredConversation = z.infer<typeof storedConversationSchema>;

/** Joins a conversation from its parts, given latest first. Returns null if its beginning is missing. */
export function wholeConversation(parts: readonly StoredConversation[]): Conversation | null {
  const first = parts.at(-1);
  if (first === undefined || first.after !== null || first.tools === null) return null;
  return { messages: parts.toReversed().flatMap(({ messages }) => messages), tools: first.tools };
}

const count = z.int().min(0);

/** Model call in a list, without the message content. */
export const callSummarySchema = z.object({
  id: z.int(),
  step: z.int().meta({ description: 'Step of the run. Negative if the call was made outside the loop.' }),
  ordinal: count,
  role: z.string(),
  provider: z.string(),
  model: z.string(),
  version: z.int().nullable().meta({ description: 'The version that the call worked on.' }),
  finishReason: z.string().nullable(),
  failureKind: z.string().nullable(),
  tools: z.array(z.string()).meta({ description: 'Agents only: the tools that the model called.' }),
  tokenUsage: z.object({ input: count, output: count, total: count }),
  cachedTokens: count
    .nullable()
    .meta({ description: "Input tokens read from the provider's cache. Null: not reported." }),
  reasoningTokens: count.nullable().meta({ description: 'Output tokens used for reasoning. Null: not reported.' }),
  costUsd: z.number().nullable(),
  latencyMs: count,
  maybeBilled: z.object({ tries: count, input: count, output: count, costUsd: z.number().nullable() }).nullable().meta({
    description:
      'Estimate for tries without a response that may have been billed. Included in tokenUsage and costUsd. Null if there were none.',
  }),
  attempts: count.meta({ description: '0 if no request was sent, or a stored response was used.' }),
  warnings: count,
  createdAt: z.iso.datetime(),
});
export type CallSummary = z.infer<typeof callSummarySchema>;

const callOptionsSchema = z.object({
  temperature: z.number().nullable(),
  maxOutputTokens: z.int().nullable(),
  output: z.string().nullable().meta({ description: 'Name of the JSON schema of the response.' }),
  ...samplingSchema.shape,
});
/** Options as stored, without the unset ones. */
export const storedOptionsSchema = callOptionsSchema.extend({
  temperature: callOptionsSchema.shape.temperature.default(null),
  maxOutputTokens: callOptionsSchema.shape.maxOutputTokens.default(null),
  output: callOptionsSchema.shape.output.default(null),
});
export const callFailureSchema = z.object({
  kind: z.string(),
  message: z.string(),
  remedy: z.string(),
  status: z.number().nullable(),
});

/** Complete model call as sent and received, with apparent keys redacted. */
export const callRecordSchema = callSummarySchema.omit({ warnings: true, failureKind: true, tools: true }).extend({
  instructions: z.string(),
  prompt: z.string(),
  options: callOptionsSchema,
  conversation: z
    .object({ messages: z.array(agentMessageSchema), tools: z.array(offeredToolSchema) })
    .nullable()
    .meta({
      description:
        'The messages after the prompt (agents only), and the tools that the model could use. Null: no tools.',
    }),
  text: z.string().nullable(),
  thought: z.string().nullable(),
  toolCalls: z.array(toolCallSchema).nullable(),
  failure: callFailureSchema.nullable(),
  warnings: z.array(z.string()),
});
export type CallRecord = z.infer<typeof callRecordSchema>;

type RewrittenPart = 'id' | 'version' | 'tokenUsage' | 'options' | 'conversation';
type OptionalPart = 'toolCalls' | 'thought' | 'cachedTokens' | 'reasoningTokens' | 'maybeBilled';
/** Model call to save: the request as sent, and the response or failure. */
export type CallEntry = Omit<CallRecord, RewrittenPart | OptionalPart> & {
  fingerprint: string;
  options: z.input<typeof storedOptionsSchema>;
  inputTokens: number;
  outputTokens: number;
  /** New part of the conversation in an agent's turn. Omitted for all other calls. */
  conversation?: StoredConversation;
  toolCalls?: AgentCall[];
  /** Number of requested tool calls beyond `toolCalls`. Omitted if there are none. */
  callsLeftOut?: number;
  thought?: string;
  cachedTokens?: number | null;
  reasoningTokens?: number | null;
  /** Omitted if no attempt without a response may have been billed. */
  maybeBilled?: MaybeBilled;
};
