import { z } from 'zod';
import { draft } from '../draft.ts';
import { exactTask } from '../exact-task.ts';
import { flawsIn } from '../flaws.ts';
import { taskTerms } from '../task-terms.ts';
import { sentencesOf } from '../text-parts.ts';
import { type AgentTask, agentTask, taskForWorker } from './agent-task.ts';
import { chooseUses, type Intended, type OfferedTool } from './choose-uses.ts';
import type { PastUse, SeenConversation } from './read-conversation.ts';

type Worker = { name: string; description: string };

const delegateSchema = z.object({ properties: z.object({ worker: z.object({ enum: z.array(z.string()) }) }) });

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

/** Workers of a supervisor: the values that `worker` may have, each described on a line of the instructions. */
function workersOf({ inputSchema }: OfferedTool, instructions: string): Worker[] {
  const parsed = delegateSchema.safeParse(inputSchema);
  if (!parsed.success) return [];
  const lines = instructions.split('\n');
  return parsed.data.properties.worker.enum.map((name) => ({ name, description: descriptionIn(lines, name) }));
}

function descriptionIn(lines: string[], name: string): string {
  for (const line of lines) {
    const text = line.replace(/^\s*[-*]\s*/, '').trim();
    if (text.startsWith(`${name}:`)) return text.slice(name.length + 1).trim();
  }
  return '';
}

/** The task for each worker that fits it, all in one turn: those that its words or a lesson speak of, else all of them. */
function chooseDelegations(given: AgentTask, workers: readonly Worker[], uses: readonly PastUse[]): Intended[] {
  if (uses.some(({ tool }) => tool === 'delegate')) return [];
  const words = wordsOf(given.task);
  const fitting = workers.filter(
    ({ name, description }) =>
      wordsOf(`${name} ${description}`).some((word) => words.includes(word)) ||
      given.advice.some((text) => text.toLowerCase().includes(name.toLowerCase())),
  );
  return (fitting.length > 0 ? fitting : workers).map(({ name, description }) => ({
    tool: 'delegate',
    input: { worker: name, task: taskForWorker(given, description) },
    thought: `${name} can do a part of this.`,
  }));
}

/** The worker's answer with the fewest flaws, and whose it is; where several have as few, the first. Null where none came back. */
function bestDelivered(task: string, uses: readonly PastUse[]): { worker: string; text: string } | null {
  const words = taskTerms(task);
  const delivered = uses.flatMap(({ tool, input, result, isError }) =>
    tool === 'delegate' && !isError && result !== null && result.trim() !== ''
      ? [{ worker: String(input.worker ?? ''), text: result, flaws: flawsIn(result, words).length }]
      : [],
  );
  return delivered.sort((one, other) => one.flaws - other.flaws)[0] ?? null;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.replace(/(?:ing|ed|es|s|e)$/, ''));
}
