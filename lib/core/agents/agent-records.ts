import { z } from 'zod';
import type { Spend } from '../history.ts';

/** The agent that a run's attempts are made by; workers of a supervisor have names of their own. */
export const MAIN_AGENT = 'main';

/** The tool by which a supervisor gives a task to one of its workers. */
export const DELEGATE_TOOL = 'delegate';

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

/**
 * One call of a model by an agent on its way to a version: what it thought, and either the tools it wants to use or its answer.
 * Source: ReAct (Yao et al. 2022): thought, action, observation.
 */
export type AgentTurn = Spend & {
  /** Number of the version that it works towards: there is none yet while the attempt is under way. */
  version: number;
  /** Counts the turns of one agent on one task from 0. */
  number: number;
  /** `main`, or the worker's name. */
  agent: string;
  /** The delegation that a worker answers, by the id of its call; null for `main`. */
  delegation: string | null;
  thought: string;
  calls: ToolCall[];
  /** How many more uses of tools it asked for than a turn may have (`MOST_CALLS`); they were not performed. 0 or more. */
  callsLeftOut: number;
  /** Null where it uses tools, or where its answer could not be read. */
  answer: string | null;
  finishReason: string;
  createdAt: string;
  step: number;
};

export const OBSERVATION_STATUSES = ['ok', 'failed', 'timed_out', 'unknown_tool', 'malformed', 'refused'] as const;
/** `malformed`: the arguments are not what the tool asks for, it was not used; `refused`: a person did not allow it, it was not used. */
export type ObservationStatus = (typeof OBSERVATION_STATUSES)[number];

/** Longest text of an observation, in characters; the rest is left out, and said so. */
export const LONGEST_OBSERVATION = 20_000;

/** What a tool answered, or why it did not; a worker's answer too. */
export type Observation = {
  version: number;
  callId: string;
  tool: string;
  status: ObservationStatus;
  /** At most `LONGEST_OBSERVATION` characters; hostile. */
  text: string;
  durationMs: number;
  createdAt: string;
  step: number;
};

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

/** What came of using a tool. */
export type ToolOutcome = Pick<Observation, 'status' | 'text' | 'durationMs'>;

/** Uses a tool on behalf of a step of the loop. Never throws for what a tool does; null when it was called off. */
export type UseTool = (step: number, call: ToolCall) => Promise<ToolOutcome | null>;
