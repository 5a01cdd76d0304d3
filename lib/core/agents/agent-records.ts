import { z } from 'zod';
import type { ObservationStatus } from './observation-status.ts';

/** A tool that an agent wants to use: `arguments` is the JSON text as the model wrote it, which need not be JSON at all. */
export const toolCallSchema = z.object({
  /**
   * The place of the call, given by Hone, for models repeat their ids: turn and place in it (`3.0`), after that of the delegation
   * where a worker makes it (`3.0/1.1`).
   */
  id: z.string(),
  tool: z.string(),
  arguments: z.string(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** Longest text of an observation, in characters; the rest is left out, and said so. */
export const LONGEST_OBSERVATION = 20_000;

/** A tool as a model is told of it. `parameters` is a JSON Schema of an object. */
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
export type AgentMessage = z.infer<typeof agentMessageSchema>;

/** What a model is asked besides `instructions` and `prompt` where it works with tools. */
export type Conversation = { messages: AgentMessage[]; tools: ToolDefinition[] };

/** What came of using a tool. `text` is hostile. */
export type ToolOutcome = { status: ObservationStatus; text: string; durationMs: number };

/** Uses a tool on behalf of a step of the loop. Never throws for what a tool does; null when it was called off. */
export type UseTool = (step: number, call: ToolCall) => Promise<ToolOutcome | null>;
