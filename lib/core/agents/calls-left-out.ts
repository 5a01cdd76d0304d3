/** Maximum number of tool calls in one turn. Calls beyond it are counted but not performed. */
export const MAX_CALLS_PER_TURN = 16;

/** Returns the note about tool calls beyond the limit of a turn, for people and models, or null if there are none. */
export function omittedCallsLabel({ callsLeftOut }: { callsLeftOut: number }): string | null {
  if (callsLeftOut === 0) return null;
  const were = callsLeftOut === 1 ? 'use of a tool in this turn was' : 'uses of tools in this turn were';
  return `${callsLeftOut} more ${were} not performed: at most ${MAX_CALLS_PER_TURN} a turn.`;
}
