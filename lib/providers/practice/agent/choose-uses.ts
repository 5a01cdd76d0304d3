import { z } from 'zod';
import { exactTask } from '../exact-task.ts';
import type { AgentTask } from './agent-task.ts';
import type { PastUse } from './read-conversation.ts';

/** A tool as the AI SDK tells a model of it; `inputSchema` is a JSON Schema of an object. */
export type OfferedTool = { name: string; description: string; inputSchema: object };

/** A use of a tool that is worth making, and why. */
export type Intended = { tool: string; input: Record<string, unknown>; thought: string };

const LONGEST_QUERY = 200;
const MOST_PAGES = 3;
const KNOWN = ['calculator', 'javascript', 'lesson_search', 'http_get', 'delegate'];

/**
 * What the practice model would use next, in its order: lessons first, then the pages and tools that the task itself names, then the
 * calculator for a sum, or a line of JavaScript to count with. Nothing is used twice, whatever came of it.
 */
export function chooseUses(
  { task, advice }: AgentTask,
  tools: readonly OfferedTool[],
  uses: readonly PastUse[],
): Intended[] {
  const isOpen = (name: string) => tools.some((tool) => tool.name === name) && !uses.some(({ tool }) => tool === name);
  if (isOpen('lesson_search'))
    return [
      {
        tool: 'lesson_search',
        input: { query: task.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUERY).toWellFormed() },
        thought: 'Others may have met this before: I look for lessons.',
      },
    ];
  const pages = isOpen('http_get') ? addressesIn(task) : [];
  if (pages.length > 0)
    return pages.map((url) => ({ tool: 'http_get', input: { url }, thought: 'The task names a page: I read it.' }));
  const named = tools.filter(({ name }) => !KNOWN.includes(name) && isOpen(name) && isNamed(name, task));
  if (named.length > 0)
    return named.map((tool) => ({
      tool: tool.name,
      input: inputFor(tool, task),
      thought: `The task asks for ${tool.name}: I use it.`,
    }));
  const exact = exactTask(task);
  const expression = exact?.expression(advice) ?? null;
  if (expression !== null && isOpen('calculator'))
    return [{ tool: 'calculator', input: { expression }, thought: 'It is a sum: I have it calculated.' }];
  if (exact !== null && exact.code !== null && isOpen('javascript'))
    return [{ tool: 'javascript', input: { code: exact.code }, thought: 'I would miscount: I let code count it.' }];
  return [];
}

function addressesIn(task: string): string[] {
  const found = task.match(/https?:\/\/[^\s<>"')\]]+/g) ?? [];
  return [...new Set(found.map((url) => url.replace(/[.,;:!?]+$/, '')))].slice(0, MOST_PAGES);
}

/** By its whole name, or by what stands behind the name of its server; `_` may be a space. */
function isNamed(name: string, task: string): boolean {
  const short = name.split('__').at(-1) ?? name;
  const said = task.toLowerCase().replace(/[\s_-]+/g, ' ');
  return [name, short].some((one) => ` ${said} `.includes(` ${one.toLowerCase().replace(/[\s_-]+/g, ' ')} `));
}

const part = z.object({ type: z.string().optional(), enum: z.array(z.json()).optional() }).catch({});
const parametersSchema = z.object({
  properties: z.record(z.string(), part).catch({}),
  required: z.array(z.string()).catch([]),
});

/** Something for every part that must be there: the task where a text is wanted, its first number where one is. */
function inputFor({ inputSchema }: OfferedTool, task: string): Record<string, unknown> {
  const { properties, required } = parametersSchema.parse(inputSchema);
  return Object.fromEntries(required.map((name) => [name, valueFor(properties[name] ?? {}, task)]));
}

function valueFor({ type, enum: values = [] }: z.infer<typeof part>, task: string): unknown {
  if (values.length > 0) return values[0];
  const number = Number(/-?\d+(?:\.\d+)?/.exec(task)?.[0] ?? 1);
  switch (type) {
    case 'number':
      return number;
    case 'integer':
      return Math.trunc(number);
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return task.slice(0, LONGEST_QUERY).toWellFormed();
  }
}
