import type { ToolCall, ToolDefinition, ToolOutcome } from '#lib/core/agents/agent-records.ts';

/** The tools of one run. */
export type Toolbox = {
  /** Definitions sent to models, without `delegate`, which the loop handles. */
  definitions: ToolDefinition[];
  /**
   * Uses a tool once. Never throws for errors of a tool or for arguments that are not JSON. Returns null if aborted by `signal`. The text
   * is sanitized but untrusted, and has at most `MAX_OBSERVATION_LENGTH` characters.
   */
  use(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome | null>;
};

/** A tool of a toolbox. */
export type Tool = {
  definition: ToolDefinition;
  /** Time limit of one use, in milliseconds. Null uses the default of the toolbox. */
  timeoutMs: number | null;
  /** Runs the tool with arguments that match its `parameters`. May throw, which counts as a `failed` result. */
  run(given: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>;
};

/** The result of a tool, of any length. `failed`: the tool was called, or the call was attempted, but did not succeed. */
export type ToolAnswer = { status: 'ok' | 'failed'; text: string };
