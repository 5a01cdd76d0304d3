import type { CutOff } from '../step.ts';
import type { AgentTurn } from './agent-records.ts';
import { readArguments } from './read-arguments.ts';

/** How often running an agent may neither answer nor use a tool. */
const EMPTY_TURNS = 2;

/**
 * Why an agent is stopped after these turns on one task, the last of which is no answer; null while it may go on. It is stopped before it
 * uses the tools of its last turn: nobody would look at what they say.
 */
export function cutOff(
  turns: readonly AgentTurn[],
  { maxSteps, stallAfter }: { maxSteps: number; stallAfter: number },
): Exclude<CutOff, 'budget'> | null {
  const empty = turns.slice(-EMPTY_TURNS);
  if (empty.length === EMPTY_TURNS && empty.every(({ calls }) => calls.length === 0)) return 'no_answer';
  const alike = turns.slice(-stallAfter).map(essence);
  if (alike.length === stallAfter && alike[0] !== '[]' && alike.every((one) => one === alike[0])) return 'stalled';
  return turns.length >= maxSteps ? 'turn_limit' : null;
}

/** What a turn wants to do, whatever it thinks, however its arguments are spaced and sorted. */
function essence({ calls }: AgentTurn): string {
  return JSON.stringify(
    calls.map((call) => [call.tool, sorted(readArguments(call.arguments) ?? call.arguments.trim())]),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)]);
}
