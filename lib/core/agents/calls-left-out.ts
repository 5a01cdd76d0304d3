/** Tools that one turn may use, the only limit there is; what a model asks for beyond it is counted, not performed. */
export const MOST_CALLS = 16;

/**
 * What is said of the uses of tools that a turn asked for beyond its limit, to people and to the models that read of it; null where there
 * are none.
 */
export function leftOutLabel({ callsLeftOut }: { callsLeftOut: number }): string | null {
  if (callsLeftOut === 0) return null;
  const were = callsLeftOut === 1 ? 'use of a tool in this turn was' : 'uses of tools in this turn were';
  return `${callsLeftOut} more ${were} not performed: at most ${MOST_CALLS} a turn.`;
}
