/** Name of the agent that makes a run's attempts. Workers of a supervisor have their own names. */
export const MAIN_AGENT = 'main';

/** Name of the tool with which a supervisor delegates a task to one of its workers. */
export const DELEGATE_TOOL = 'delegate';

export const OBSERVATION_STATUSES = ['ok', 'failed', 'timed_out', 'unknown_tool', 'malformed', 'refused'] as const;

/** `malformed`: not used because the arguments do not match the tool. `refused`: not used because a person did not allow it. */
export type ObservationStatus = (typeof OBSERVATION_STATUSES)[number];

/** Maximum number of tool calls in one turn. Calls beyond it are counted but not performed. */
export const MAX_CALLS_PER_TURN = 16;

/** Returns the note about tool calls beyond the limit of a turn, for people and models, or null if there are none. */
export function omittedCallsLabel({ callsLeftOut }: { callsLeftOut: number }): string | null {
  if (callsLeftOut === 0) return null;
  const were = callsLeftOut === 1 ? 'use of a tool in this turn was' : 'uses of tools in this turn were';
  return `${callsLeftOut} more ${were} not performed: at most ${MAX_CALLS_PER_TURN} a turn.`;
}

type ToolUsers = {
  type: 'single' | 'react' | 'supervisor';
  tools?: readonly string[];
  workers?: readonly { tools: readonly string[] }[];
};

/** Returns all tools that an agent of the base may use, without duplicates: its own first, then its workers'. */
export function usedTools({ type, tools = [], workers = [] }: ToolUsers): string[] {
  switch (type) {
    case 'single':
      return [];
    case 'react':
      return [...new Set(tools)];
    case 'supervisor':
      return [...new Set([...tools, ...workers.flatMap((worker) => worker.tools)])];
  }
}
