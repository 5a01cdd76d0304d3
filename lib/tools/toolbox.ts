import type { ToolCall, ToolDefinition, ToolOutcome } from '#lib/core/agents/agent-records.ts';

/** The tools of one run, ready to be used. */
export type Toolbox = {
  /** What models are told of them; `delegate` is not among them, it belongs to the loop. */
  definitions: ToolDefinition[];
  /**
   * Uses a tool once. Never throws for what a tool does, nor for arguments that are no JSON; null when `signal` called it off.
   * The text is clean, hostile, and at most `LONGEST_OBSERVATION` characters.
   */
  use(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome | null>;
};

/** A tool that can be put into a toolbox. */
export type Tool = {
  definition: ToolDefinition;
  /** Longest time of one use, in milliseconds; null: the toolbox's own. */
  timeoutMs: number | null;
  /** Uses it with arguments that fit its `parameters`. May throw: that is an answer `failed` too. */
  run(given: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>;
};

/** What a tool answered, of any length. `failed`: it was used, or tried to be, and did not do what it was asked for. */
export type ToolAnswer = { status: 'ok' | 'failed'; text: string };
