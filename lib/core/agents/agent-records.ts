import { z } from 'zod';
import type { ObservationStatus } from './tool-calls.ts';

/** A tool call of an agent. `arguments` is the JSON text as the model wrote it, and may be invalid JSON. */
export const toolCallSchema = z.object({
  /**
   * Position of the call, assigned by Hone because models repeat their ids: turn and index in it (`3.0`). Calls of a worker are prefixed
   * with the position of the delegation (`3.0/1.1`).
   */
  id: z.string(),
  tool: z.string(),
  arguments: z.string(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/**
 * A tool call in an agent's turn. `replay` is JSON that the provider needs back with the call, such as the reasoning before it. Omitted if
 * it needs nothing. Stored as text, because it must be sent back unchanged.
 */
export const agentCallSchema = toolCallSchema.extend({ replay: z.string().exactOptional() });
export type AgentCall = z.infer<typeof agentCallSchema>;

/** Returns a tool call without the provider's data. */
export function plainCall({ id, tool, arguments: given }: AgentCall): ToolCall {
  return { id, tool, arguments: given };
}

/** Maximum length of an observation, in characters. The rest is omitted with a note. */
export const MAX_OBSERVATION_LENGTH = 20_000;

/** A tool as described to a model. `parameters` is a JSON Schema of an object. */
export type ToolDefinition = { name: string; description: string; parameters: Record<string, unknown> };

/** A conversation after its first message, which is the request's `prompt`. */
export const agentMessageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('assistant'), text: z.string(), calls: z.array(toolCallSchema) }),
  z.object({
    role: z.literal('tool'),
    results: z.array(z.object({ id: z.string(), tool: z.string(), text: z.string(), isError: z.boolean() })),
  }),
  z.object({ role: z.literal('user'), text: z.string() }),
]);
type StoredMessage = z.infer<typeof agentMessageSchema>;
export type AgentMessage =
  | Exclude<StoredMessage, { role: 'assistant' }>
  | { role: 'assistant'; text: string; calls: AgentCall[] };

/** Additional parts of a request to a model that works with tools, next to `instructions` and `prompt`. */
export type Conversation = { messages: AgentMessage[]; tools: ToolDefinition[] };

/** Result of a tool call. `text` is untrusted. */
export type ToolOutcome = { status: ObservationStatus; text: string; durationMs: number };

/** Performs a tool call for a step of the loop. Never throws because of the tool. Returns null if it was aborted. */
export type UseTool = (step: number, call: ToolCall) => Promise<ToolOutcome | null>;
