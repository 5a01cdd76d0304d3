import { z } from 'zod';
import { flawsIn } from '../flaws.ts';
import { taskTerms } from '../task-terms.ts';
import { type AgentTask, taskForWorker } from './agent-task.ts';
import type { Intended, OfferedTool } from './choose-uses.ts';
import type { PastUse } from './read-conversation.ts';

export type Worker = { name: string; description: string };

const delegateSchema = z.object({ properties: z.object({ worker: z.object({ enum: z.array(z.string()) }) }) });

/** Workers of a supervisor: the values that `worker` may have, each described on a line of the instructions. */
export function workersOf({ inputSchema }: OfferedTool, instructions: string): Worker[] {
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
export function chooseDelegations(given: AgentTask, workers: readonly Worker[], uses: readonly PastUse[]): Intended[] {
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
export function bestDelivered(task: string, uses: readonly PastUse[]): { worker: string; text: string } | null {
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
