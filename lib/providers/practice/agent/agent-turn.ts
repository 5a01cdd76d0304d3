import { draft } from '../draft.ts';
import { exactTask } from '../exact-task.ts';
import { sentencesOf } from '../text-parts.ts';
import { type AgentTask, agentTask } from './agent-task.ts';
import { chooseUses, type Intended, type OfferedTool } from './choose-uses.ts';
import { bestDelivered, chooseDelegations, workersOf } from './delegations.ts';
import type { PastUse, SeenConversation } from './read-conversation.ts';

/** What an agent says in a turn: its thought and the tools it wants to use, or its answer and none. */
export type PracticeTurn = { text: string; calls: { tool: string; input: Record<string, unknown> }[] };

const MOST_FINDINGS = 3;

/**
 * One turn of the practice model as an agent. It plans, uses the tools that help with the task, believes what they come to, and then
 * answers as a single call would: with the task's own flaws, but for those that lessons and advice speak of.
 */
export function agentTurn(seen: SeenConversation, tools: readonly OfferedTool[]): PracticeTurn {
  const given = agentTask(seen);
  const delegate = tools.find(({ name }) => name === 'delegate');
  const chosen = chooseUses(given, tools, seen.uses);
  const intended =
    chosen.length === 0 && delegate !== undefined
      ? chooseDelegations(given, workersOf(delegate, seen.instructions), seen.uses)
      : chosen;
  if (intended.length === 0) return { text: finalAnswer(given, seen.uses), calls: [] };
  return {
    text: thoughtOf(intended, seen),
    calls: intended.map(({ tool, input }) => ({ tool, input })),
  };
}

function thoughtOf(intended: Intended[], { uses, turns }: SeenConversation): string {
  const failed = uses.at(-1);
  const thoughts = [...new Set(intended.map(({ thought }) => thought))];
  return [
    ...(turns === 0 ? ['I use what helps, and then I answer.'] : []),
    ...(failed?.isError === true ? [`${failed.tool} did not help, so I go on without it.`] : []),
    ...thoughts,
  ].join(' ');
}

function finalAnswer({ task, advice }: AgentTask, uses: readonly PastUse[]): string {
  const delivered = bestDelivered(task, uses);
  if (delivered !== null) return delivered.text;
  const exact = exactTask(task);
  const counted = uses.findLast(({ tool, isError }) => !isError && (tool === 'calculator' || tool === 'javascript'));
  const value = numberIn(counted?.result ?? '');
  if (exact !== null && counted !== undefined && value !== null) return exact.attemptFrom(value, counted.tool, advice);
  const answer = exact?.attempt(advice) ?? draft(task, advice);
  return exact === null ? [answer, ...findingsOf(uses)].join('\n\n') : answer;
}

/** The first sentence of what each page and tool answered. */
function findingsOf(uses: readonly PastUse[]): string[] {
  return uses
    .filter(({ tool, isError }) => !isError && tool !== 'lesson_search' && tool !== 'delegate')
    .slice(0, MOST_FINDINGS)
    .flatMap(({ tool, input, result }) => {
      const [first] = sentencesOf((result ?? '').slice(0, 2_000));
      const source = tool === 'http_get' ? String(input.url ?? tool) : tool;
      return first === undefined ? [] : [`From ${source}: "${first.slice(0, 200).toWellFormed()}"`];
    });
}

/** The number that a tool's answer is, or begins with. */
function numberIn(result: string): number | null {
  const found = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/i.exec(result)?.[1];
  return found === undefined ? null : Number(found);
}
