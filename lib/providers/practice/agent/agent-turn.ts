import { z } from 'zod';
import type { CritiqueResponse } from '#lib/core/prompts/critique-prompt.ts';
import { draft } from '../draft.ts';
import { exactTask } from '../exact-task.ts';
import { flawsIn } from '../flaws.ts';
import {
  listItems,
  type PastUse,
  type PromptParts,
  readPrompt,
  type SeenConversation,
  sentencesOf,
} from '../read-prompt.ts';
import { taskTerms } from '../task-terms.ts';

type Worker = { name: string; description: string };

const delegateSchema = z.object({ properties: z.object({ worker: z.object({ enum: z.array(z.string()) }) }) });

/** Turn of an agent: its thought and tool calls, or its answer without calls. */
type PracticeTurn = { text: string; calls: { tool: string; input: Record<string, unknown> }[] };

const MAX_FINDINGS = 3;

/**
 * Returns one turn of the practice model as an agent. It plans, calls the tools that help with the task and trusts their results. Then it
 * answers like a single call, with the task's typical flaws except those mentioned in lessons and advice.
 */
export function agentTurn(seen: SeenConversation, tools: readonly OfferedTool[]): PracticeTurn {
  const seenTask = agentTask(seen);
  const delegate = tools.find(({ name }) => name === 'delegate');
  const chosen = chooseUses(seenTask, tools, seen.uses);
  const intended =
    chosen.length === 0 && delegate !== undefined
      ? chooseDelegations(seenTask, workersOf(delegate, seen.instructions), seen.uses)
      : chosen;
  if (intended.length === 0) return { text: finalAnswer(seenTask, seen.uses), calls: [] };
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

/** Returns the first sentence of each page and tool result. */
function findingsOf(uses: readonly PastUse[]): string[] {
  return uses
    .filter(({ tool, isError }) => !isError && tool !== 'lesson_search' && tool !== 'delegate')
    .slice(0, MAX_FINDINGS)
    .flatMap(({ tool, input, result }) => {
      const [first] = sentencesOf((result ?? '').slice(0, 2_000));
      const source = tool === 'http_get' ? String(input.url ?? tool) : tool;
      return first === undefined ? [] : [`From ${source}: "${first.slice(0, 200).toWellFormed()}"`];
    });
}

/** Returns the number that a tool result starts with, or null. */
function numberIn(result: string): number | null {
  const found = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)/i.exec(result)?.[1];
  return found === undefined ? null : Number(found);
}

/** Returns a supervisor's workers: the possible values of `worker`, each described on a line of the instructions. */
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

/** Delegates the task in one turn to each worker mentioned in its text or a lesson, or else to all workers. */
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

/** Returns the worker's answer with the fewest flaws, the first one if there are several. Returns null if there are no answers. */
function bestDelivered(task: string, uses: readonly PastUse[]): { worker: string; text: string } | null {
  const terms = taskTerms(task);
  const delivered = uses.flatMap(({ tool, input, result, isError }) =>
    tool === 'delegate' && !isError && result !== null && result.trim() !== ''
      ? [{ worker: String(input.worker ?? ''), text: result, flaws: flawsIn(result, terms).length }]
      : [],
  );
  return delivered.sort((one, other) => one.flaws - other.flaws)[0] ?? null;
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.replace(/(?:ing|ed|es|s|e)$/, ''));
}

/** Tool as the AI SDK passes it to a model. `inputSchema` is a JSON Schema of an object. */
type OfferedTool = { name: string; description: string; inputSchema: object };

type Intended = { tool: string; input: Record<string, unknown>; thought: string };

const MAX_QUERY_LENGTH = 200;
const MAX_PAGES = 3;
const KNOWN = ['calculator', 'javascript', 'lesson_search', 'http_get', 'delegate'];

/**
 * Returns the next tool calls of the practice model: first lessons, then pages and tools named in the task, then the calculator for a sum,
 * or a line of JavaScript for counting. No tool is called twice, whatever its result.
 */
function chooseUses({ task, advice }: AgentTask, tools: readonly OfferedTool[], uses: readonly PastUse[]): Intended[] {
  const isOpen = (name: string) => tools.some((tool) => tool.name === name) && !uses.some(({ tool }) => tool === name);
  if (isOpen('lesson_search'))
    return [
      {
        tool: 'lesson_search',
        input: { query: task.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed() },
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
  return [...new Set(found.map((url) => url.replace(/(?<![.,;:!?])[.,;:!?]+$/, '')))].slice(0, MAX_PAGES);
}

/** Matches the whole name, or the part after its server's name. `_` may be a space. */
function isNamed(name: string, task: string): boolean {
  const short = name.split('__').at(-1) ?? name;
  const normalized = task.toLowerCase().replace(/[\s_-]+/g, ' ');
  return [name, short].some((one) => ` ${normalized} `.includes(` ${one.toLowerCase().replace(/[\s_-]+/g, ' ')} `));
}

const part = z.object({ type: z.string().optional(), enum: z.array(z.json()).optional() }).catch({});
const parametersSchema = z.object({
  properties: z.record(z.string(), part).catch({}),
  required: z.array(z.string()).catch([]),
});

/** Fills every required parameter: a text with the task, a number with the task's first number. */
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
      return task.slice(0, MAX_QUERY_LENGTH).toWellFormed();
  }
}

type AgentTask = { task: string; advice: string[] };

/** Prefix of a check of the agent's work. The prefix itself is not advice. */
const AGENT_CHECK_PREFIX = 'The work goes on';
const PART = '\n\nYour part: ';
const ADVICE = '\n\nAdvice:\n';

/**
 * Reads the task and the advice: lessons and guidance of the prompt, later messages, lessons found by a search, and advice that a
 * supervisor passed on with a part of a task.
 */
function agentTask({ prompt, followUps, uses }: SeenConversation): AgentTask {
  const parts = readPrompt(prompt);
  const whole = (parts.get('task') ?? '').trim();
  const [withPart = '', passedOn = ''] = whole.split(ADVICE, 2);
  const [task = '', part = ''] = withPart.split(PART, 2);
  const found = uses
    .filter(({ tool, isError }) => tool === 'lesson_search' && !isError)
    .map(({ result }) => result ?? '');
  return {
    task,
    advice: [
      ...(['lessons', 'recalled_lessons', 'went_wrong', 'guidance'] as const).flatMap((tag) =>
        listItems(parts.get(tag)),
      ),
      ...listItems(passedOn),
      ...(part === '' ? [] : [part]),
      ...found.flatMap((text) => text.split('\n').filter((line) => /^\d+\. \(/.test(line))),
      ...followUps
        .flatMap((text) => listItems(readPrompt(text).get('critique')))
        .filter((line) => !line.startsWith(AGENT_CHECK_PREFIX)),
    ],
  };
}

/** Formats a part of a task for a worker, with the advice on it. */
function taskForWorker({ task, advice }: AgentTask, part: string): string {
  return [
    task,
    ...(part.trim() === '' ? [] : [`${PART}${part.trim()}`]),
    ...(advice.length === 0 ? [] : [ADVICE, advice.map((text) => `- ${text.replace(/\s+/g, ' ').trim()}`).join('\n')]),
  ].join('');
}

/** Checks an agent's work between two turns and returns one mistake that it can still avoid. */
export function agentCheck(parts: PromptParts): CritiqueResponse {
  const task = (parts.get('task') ?? '').trim();
  const exact = exactTask(task);
  const suggestion =
    exact === null
      ? flawsIn(draft(task, []), taskTerms(task))[0]?.flaw.suggestion
      : exact.judge(exact.attempt([])).suggestions[0];
  return {
    summary:
      suggestion === undefined
        ? `${AGENT_CHECK_PREFIX} as it should.`
        : `${AGENT_CHECK_PREFIX}, but one thing is missing so far.`,
    issues: [],
    suggestions: suggestion === undefined ? [] : [suggestion],
  };
}
