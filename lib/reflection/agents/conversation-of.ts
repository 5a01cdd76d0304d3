import type { Critique, History } from '../history.ts';
import { quotedList } from '../prompts/task-text.ts';
import { linesOf } from '../reflections.ts';
import type { AgentMessage, AgentTurn } from './agent-records.ts';
import { wayOf } from './way-of.ts';

/** What an agent is told after a turn that neither used a tool nor answered. */
const NUDGE = 'You neither used a tool nor answered. Use a tool, or write your answer.';

/**
 * What was said between an agent and its tools on a task so far, after the first message. The agent that makes the attempt is told between
 * turns what reflections say of its work.
 */
export function conversationOf(history: History, version: number, delegation: string | null): AgentMessage[] {
  const way = wayOf(history, version);
  const turns = way.turns.filter((turn) => turn.delegation === delegation);
  const resultOf = new Map(way.observations.map((observation) => [observation.callId, observation]));
  return turns.flatMap((turn, place) => {
    const { thought, calls, answer } = turn;
    const said: AgentMessage[] = [{ role: 'assistant', text: answer ?? thought, calls }];
    if (calls.length > 0)
      said.push({
        role: 'tool',
        results: calls.flatMap(({ id, tool }) => {
          const result = resultOf.get(id);
          return result === undefined ? [] : [{ id, tool, text: result.text, isError: result.status !== 'ok' }];
        }),
      });
    const told = delegation === null ? critiquesBetween(history, turn, turns[place + 1]) : [];
    const parts = told.length > 0 ? remarks(told) : [];
    if (calls.length === 0 && answer === null) parts.unshift(NUDGE);
    if (parts.length > 0) said.push({ role: 'user', text: parts.join('\n\n') });
    return said;
  });
}

function critiquesBetween({ critiques }: History, before: AgentTurn, after: AgentTurn | undefined): Critique[] {
  return critiques.filter(
    ({ trigger, version, step }) =>
      version === before.version &&
      (trigger === 'step_interval' || trigger === 'tool_result' || trigger === 'error') &&
      step > before.step &&
      (after === undefined || step < after.step),
  );
}

function remarks(critiques: Critique[]): string[] {
  return [
    'A look at your work so far found this. Heed it where it helps with the task:',
    ...quotedList('critique', critiques.flatMap(linesOf)),
  ];
}
