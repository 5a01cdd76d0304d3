import { quotedList } from '#lib/core/prompts/task-text.ts';
import type { AgentTurn, Critique, History, Observation } from '../history.ts';
import { linesOf } from '../reflections.ts';
import { agentSteps } from './agent-progress.ts';
import type { AgentMessage } from './agent-records.ts';
import { omittedCallsLabel } from './tool-calls.ts';

/** Message to an agent after a turn without a tool call or an answer. */
const NUDGE = 'You neither used a tool nor answered. Use a tool, or write your answer.';

/** Instruction to an agent whose tool calls were left out. */
const REPEAT_CALLS_INSTRUCTION = 'Ask again for those you still need.';

/** Maximum characters of results that a conversation contains in full, about 100,000 tokens. Older results are truncated. */
const MAX_RESULTS_LENGTH = 400_000;
const MAX_OLD_RESULT_LENGTH = 300;

/**
 * Returns the conversation between an agent and its tools on a task so far, without the first message. The agent that makes the attempt
 * also receives the reflections on its work between turns.
 */
export function conversationOf(history: History, version: number, delegation: string | null): AgentMessage[] {
  const way = agentSteps(history, version);
  const turns = way.turns.filter((turn) => turn.delegation === delegation);
  const resultOf = resultsOf(turns, way.observations);
  return turns.flatMap((turn, index) => {
    const { thought, calls, answer } = turn;
    const messages: AgentMessage[] = [{ role: 'assistant', text: answer ?? thought, calls }];
    if (calls.length > 0)
      messages.push({
        role: 'tool',
        results: calls.flatMap(({ id, tool }) => {
          const result = resultOf.get(id);
          return result === undefined ? [] : [{ id, tool, text: result.text, isError: result.status !== 'ok' }];
        }),
      });
    const critiques = delegation === null ? critiquesBetween(history, turn, turns[index + 1]) : [];
    const parts = critiques.length > 0 ? remarks(critiques) : [];
    if (calls.length === 0 && answer === null) parts.unshift(NUDGE);
    const leftOut = omittedCallsLabel(turn);
    if (leftOut !== null) parts.unshift(`${leftOut} ${REPEAT_CALLS_INSTRUCTION}`);
    if (parts.length > 0) messages.push({ role: 'user', text: parts.join('\n\n') });
    return messages;
  });
}

/** Returns results by the id of their call. The newest are in full, as far as they fit. */
function resultsOf(
  turns: readonly AgentTurn[],
  observations: readonly Observation[],
): Map<string, Pick<Observation, 'status' | 'text'>> {
  const all = new Map(observations.map((observation) => [observation.callId, observation]));
  const results = new Map<string, Pick<Observation, 'status' | 'text'>>();
  let length = 0;
  for (const { id } of turns.flatMap(({ calls }) => calls).reverse()) {
    const result = all.get(id);
    if (result === undefined) continue;
    length += result.text.length;
    results.set(id, length > MAX_RESULTS_LENGTH ? { status: result.status, text: beginningOf(result.text) } : result);
  }
  return results;
}

function beginningOf(text: string): string {
  if (text.length <= MAX_OLD_RESULT_LENGTH) return text;
  const left = text.length - MAX_OLD_RESULT_LENGTH;
  return `${text.slice(0, MAX_OLD_RESULT_LENGTH).toWellFormed()} … (an old result: ${left} more characters are left out)`;
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
