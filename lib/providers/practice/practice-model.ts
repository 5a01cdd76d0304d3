import { setTimeout as delay } from 'node:timers/promises';
import type {
  EmbeddingModelV4,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { convertAsyncIteratorToReadableStream } from '@ai-sdk/provider-utils';
import type { TextRole } from '#lib/core/model-request.ts';
import { withPlainTags } from '#lib/core/prompts/quote.ts';
import { PRACTICE_MODEL, PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { agentTurn } from './agent/agent-turn.ts';
import { answer } from './answer.ts';
import { hash } from './hash.ts';
import { readConversation, readPrompt } from './read-prompt.ts';
import { sampleValue } from './sample-value.ts';

/**
 * Creates a model without network access. The same prompt always gets the same response. It cannot infer its role from the prompt, so
 * `role` is given. Streamed responses arrive word by word every `paceMs` (a quarter of that for judging and critique, which nobody reads
 * live). Others arrive at once. A token is four characters.
 */
export function createPracticeModel(role: TextRole, paceMs: number): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: PRACTICE_PROVIDER.name,
    modelId: PRACTICE_MODEL,
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const { text, calls, usage, finishReason } = responseTo(role, options);
      return { content: [{ type: 'text', text }, ...calls], finishReason, usage, warnings: [] };
    },
    async doStream(options) {
      return { stream: convertAsyncIteratorToReadableStream(parts(role, options, paceMs)) };
    },
  };
}

async function* parts(
  role: TextRole,
  options: LanguageModelV4CallOptions,
  paceMs: number,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { text, calls, usage, finishReason } = responseTo(role, options);
  const wordMs = STREAMED_ROLES.includes(role) ? paceMs : paceMs / 4;
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: '0' };
  for (const delta of text.match(/\s*\S+\s*/g) ?? [text]) {
    await delay(wordMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
    yield { type: 'text-delta', id: '0', delta };
  }
  yield { type: 'text-end', id: '0' };
  for (const call of calls) yield call;
  yield { type: 'finish', usage, finishReason };
}

const STREAMED_ROLES: readonly TextRole[] = ['generate', 'revise', 'try', 'turn'];

type PracticeResponse = {
  text: string;
  calls: LanguageModelV4ToolCall[];
  usage: LanguageModelV4Usage;
  finishReason: LanguageModelV4FinishReason;
};

/** Removes tag suffixes, which differ between installations, so that the same request gets the same response in each. */
function responseTo(role: TextRole, sent: LanguageModelV4CallOptions): PracticeResponse {
  const options = { ...sent, prompt: sent.prompt.map(withPlainText) };
  return role === 'turn' ? turnOf(options) : textResponse(role, options);
}

function textResponse(role: Exclude<TextRole, 'turn'>, options: LanguageModelV4CallOptions): PracticeResponse {
  const question = questionOf(role, options.prompt);
  const promptLength = textOf(options.prompt, 'system').length + textOf(options.prompt, 'user').length;
  const whole = formResponse(role, question, options) ?? {
    text: answer(role, question, options.responseFormat?.type === 'json'),
    calls: [],
  };
  return cutAt(options, whole, promptLength);
}

/**
 * Returns the response to a prompt with tools or a response schema: one tool call, or JSON that matches the schema. Null for other prompts.
 */
function formResponse(
  role: Exclude<TextRole, 'turn'>,
  question: string,
  { prompt, tools, responseFormat }: LanguageModelV4CallOptions,
): Pick<PracticeResponse, 'text' | 'calls'> | null {
  const parts = readPrompt(question);
  // Revisions in parts have their own response format.
  if (!ANSWER_ROLES.includes(role) || parts.has('answer_form')) return null;
  const task = parts.get('task') ?? question;
  // Do not repeat a call that has its result.
  const tool = prompt.at(-1)?.role === 'tool' ? null : fittingTool(offeredTools({ tools }), task);
  if (tool !== null) {
    const input = JSON.stringify(sampleValue(tool.inputSchema, task));
    return { text: '', calls: [{ type: 'tool-call', toolCallId: 'call-0', toolName: tool.name, input }] };
  }
  if (responseFormat?.type !== 'json' || responseFormat.schema === undefined) return null;
  return { text: JSON.stringify(sampleValue(responseFormat.schema, task), null, 1), calls: [] };
}

const ANSWER_ROLES: readonly TextRole[] = ['generate', 'revise', 'try'];

/** Returns the tool whose name and description share the most words with the task, or null without tools. */
function fittingTool(tools: ReturnType<typeof offeredTools>, task: string) {
  const words = new Set(task.toLowerCase().match(/\p{L}{3,}/gu));
  const shared = ({ name, description }: (typeof tools)[number]) =>
    [...new Set(`${name} ${description}`.toLowerCase().match(/\p{L}{3,}/gu))].filter((word) => words.has(word)).length;
  return tools.toSorted((one, other) => shared(other) - shared(one))[0] ?? null;
}

function offeredTools({ tools = [] }: Pick<LanguageModelV4CallOptions, 'tools'>) {
  return tools.flatMap((tool) =>
    tool.type === 'function'
      ? [{ name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema }]
      : [],
  );
}

/** Returns a turn of an agent. Call ids are derived from the turn number. */
function turnOf(options: LanguageModelV4CallOptions): PracticeResponse {
  const seen = readConversation(options.prompt);
  const tools = offeredTools(options);
  const { text, calls } = agentTurn(seen, tools);
  const named = calls.map(({ tool, input }, index) => ({
    type: 'tool-call' as const,
    toolCallId: `turn-${seen.turns}-${index}`,
    toolName: tool,
    input: JSON.stringify(input),
  }));
  return cutAt(options, { text, calls: named }, JSON.stringify([options.prompt, tools]).length);
}

/** Truncates a response to its token limit. Calls after the cut are lost. */
function cutAt(
  { maxOutputTokens }: LanguageModelV4CallOptions,
  { text, calls }: Pick<PracticeResponse, 'text' | 'calls'>,
  promptLength: number,
): PracticeResponse {
  const longest = (maxOutputTokens ?? Number.POSITIVE_INFINITY) * CHARACTERS_A_TOKEN;
  const length = text.length + calls.reduce((sum, call) => sum + call.toolName.length + call.input.length, 0);
  const isCut = length > longest;
  return {
    text: text.slice(0, longest),
    calls: isCut ? [] : calls,
    finishReason: { unified: isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage: usageOf(
      Math.ceil(promptLength / CHARACTERS_A_TOKEN),
      Math.ceil(Math.min(length, longest) / CHARACTERS_A_TOKEN),
    ),
  };
}

const CHARACTERS_A_TOKEN = 4;

function withPlainText(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role === 'system') return { ...message, content: withPlainTags(message.content) };
  if (message.role !== 'user') return message;
  const content = message.content.map((part) =>
    part.type === 'text' ? { ...part, text: withPlainTags(part.text) } : part,
  );
  return { ...message, content };
}

/** Returns the last user message. When a chat prompt is evaluated, the system messages with the rules come before it. */
function questionOf(role: Exclude<TextRole, 'turn'>, prompt: LanguageModelV4Prompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  const question = last === undefined ? '' : textOf([last], 'user');
  if (role !== 'try' || question.includes('<task>')) return question;
  return `${textOf(prompt, 'system')}\n\n${question}`;
}

function textOf(prompt: LanguageModelV4Prompt, role: 'system' | 'user'): string {
  return prompt
    .flatMap((message) => {
      if (message.role !== role) return [];
      if (message.role === 'system') return [message.content];
      return message.role === 'user'
        ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        : [];
    })
    .join('\n');
}

function usageOf(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

const DIMENSIONS = 256;

/**
 * Creates an embedding model without network access, for practice only. It counts words and their prefixes and knows no meanings. The same
 * text always gets the same vector.
 */
export function createPracticeEmbedding(modelId: string): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: PRACTICE_PROVIDER.name,
    modelId,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      abortSignal?.throwIfAborted();
      const tokens = values.reduce((sum, value) => sum + Math.ceil(value.length / CHARACTERS_A_TOKEN), 0);
      return { embeddings: values.map(wordVector), usage: { tokens }, warnings: [] };
    },
  };
}

/**
 * Returns a unit vector. Each word, and the prefix shared by its forms, increases or decreases one dimension. Repeated words have a
 * diminishing effect.
 */
function wordVector(text: string): number[] {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    for (const feature of [word, `${word.slice(0, 5)}…`]) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
  const vector = new Array<number>(DIMENSIONS).fill(0);
  for (const [feature, count] of counts) {
    const at = hash(feature, 'where') % DIMENSIONS;
    vector[at] = (vector[at] ?? 0) + (hash(feature, 'up or down') % 2 === 0 ? 1 : -1) * (1 + Math.log(count));
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.with(0, 1) : vector.map((value) => value / length);
}
