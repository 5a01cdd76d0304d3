import {
  generateText,
  type LanguageModelUsage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import type { TokenUsage } from '#lib/core/history.ts';
import type { ReachableModel } from '../language-model.ts';
import { agentMessages } from './agent-messages.ts';
import type { CallPlan } from './call-plan.ts';
import type { ModelReply, ModelRequest } from './model-caller.ts';
import { readToolText } from './read-tool-text.ts';
import { storableText } from './storable-text.ts';
import { structuredRequest } from './structured-request.ts';
import { STOP_SEQUENCES, textConversation } from './text-tools.ts';
import { receivedCalls, toolSet } from './tool-set.ts';
import { currentTry } from './try-context.ts';
import { uniqueCallIds } from './unique-call-ids.ts';

/** One reply as it came. `cached` are the input tokens the provider read from its cache. */
export type RawReply = {
  text: string;
  finishReason: string;
  tokenUsage: TokenUsage & { cached: number };
  warnings: string[];
} & Pick<ModelReply, 'tokenDetails' | 'toolCalls' | 'callsLeftOut' | 'thought'>;

/**
 * One try at one question, sent as its plan says. With `onText` the reply is streamed, and `onPiece` is called with each piece of any kind
 * that arrives. Throws what the AI SDK throws; never retries.
 */
export async function requestOnce(
  target: Extract<ReachableModel, { ok: true }>,
  plan: Pick<CallPlan, 'request' | 'toolsBy' | 'schemaInPrompt' | 'sendsStop'>,
  options: { signal: AbortSignal; onText: ((piece: string) => void) | null; onPiece: () => void },
): Promise<RawReply> {
  const { request, toolsBy } = plan;
  // Warnings are kept with the reply; the SDK would print them too.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const structured =
    request.output === null
      ? []
      : [structuredRequest(request.output, plan.schemaInPrompt ? 'prompt' : target.structured)];
  const call = {
    model: wrapLanguageModel({ model: target.model, middleware: [...structured, uniqueCallIds] }),
    ...saidIn(request, plan),
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(request.maxOutputTokens !== null && { maxOutputTokens: request.maxOutputTokens }),
    maxRetries: 0,
    abortSignal: options.signal,
    ...(target.providerOptions && { providerOptions: target.providerOptions }),
  };
  const context = currentTry();
  if (context !== undefined) context.inputTokens = Math.ceil(lengthOf(call) / 4);
  const received = (length: number) => {
    if (context !== undefined) context.receivedLength += length;
    options.onPiece();
  };
  const reply = await (options.onText === null ? generate(call) : stream(call, options.onText, received));
  return request.conversation !== undefined && toolsBy === 'prompt' ? inText(reply, request.conversation.tools) : reply;
}

type Call = Parameters<typeof generateText>[0];

/** What the model is told, and by what means. */
function saidIn(
  { instructions, prompt, conversation }: ModelRequest,
  { toolsBy, sendsStop }: Pick<CallPlan, 'toolsBy' | 'sendsStop'>,
) {
  if (conversation === undefined) return { ...instructed(instructions), prompt };
  if (toolsBy === 'prompt') {
    const told = textConversation({ instructions, prompt }, conversation);
    return {
      ...instructed(told.instructions),
      messages: told.messages,
      ...(sendsStop && { stopSequences: STOP_SEQUENCES }),
    };
  }
  const { messages, tools } = conversation;
  return {
    ...instructed(instructions),
    messages: agentMessages(prompt, messages),
    ...(tools.length > 0 && { tools: toolSet(tools) }),
  };
}

function instructed(instructions: string) {
  return instructions.trim() === '' ? {} : { instructions };
}

/** A reply of a model that works with tools in text: what it thought, and its calls or its answer. */
function inText(reply: RawReply, tools: Parameters<typeof readToolText>[1]): RawReply {
  const { thought, calls, answer } = readToolText(reply.text, tools);
  if (calls.length > 0) {
    const { warnings, ...used } = toolUses(calls.map((call, place) => ({ ...call, id: String(place) })));
    const finishReason = usedTools(reply);
    return { ...reply, ...used, warnings: [...reply.warnings, ...warnings], text: thought, finishReason };
  }
  return { ...reply, text: answer ?? '', ...(thought !== '' && { thought }) };
}

/** What a reply says of the tools it uses. */
function toolUses(calls: readonly ToolCall[]): Pick<RawReply, 'toolCalls' | 'callsLeftOut' | 'warnings'> {
  const { toolCalls, callsLeftOut, warnings } = receivedCalls(calls);
  return { ...(toolCalls.length > 0 && { toolCalls }), ...(callsLeftOut > 0 && { callsLeftOut }), warnings };
}

/** Where its tokens ran out, the last call may not be whole. */
function usedTools({ finishReason }: RawReply): string {
  return finishReason === 'length' ? finishReason : 'tool-calls';
}

async function generate(call: Call): Promise<RawReply> {
  const { text, finishReason, usage, toolCalls, warnings } = await generateText(call);
  return rawReply(call, { text, finishReason, usage, calls: toolCalls.map(receivedCall), warnings: warnings ?? [] });
}

async function stream(
  call: Call,
  onText: (piece: string) => void,
  received: (length: number) => void,
): Promise<RawReply> {
  const result = streamText({ ...call, onError: () => {} });
  const pieces: string[] = [];
  const calls: ToolCall[] = [];
  const warnings: Warning[] = [];
  for await (const part of result.stream) {
    received(lengthOfPiece(part));
    switch (part.type) {
      case 'start-step':
        warnings.push(...part.warnings);
        break;
      case 'text-delta':
        pieces.push(part.text);
        onText(part.text);
        break;
      case 'tool-call':
        calls.push(receivedCall(part));
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new DOMException('The call was aborted.', 'AbortError');
      case 'finish': {
        const { finishReason, totalUsage: usage } = part;
        return rawReply(call, { text: pieces.join(''), finishReason, usage, calls, warnings });
      }
    }
  }
  throw new StreamCutError();
}

/** Characters that a piece of a stream holds and that are probably billed. */
function lengthOfPiece(part: TextStreamPart<ToolSet>): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return part.text.length;
    case 'tool-input-delta':
      return part.delta.length;
    default:
      return 0;
  }
}

/** A stream that ended before the reply was complete. */
export class StreamCutError extends Error {
  constructor() {
    super('the reply broke off before its end');
    this.name = 'StreamCutError';
  }
}

/** What could not be read as JSON comes as the text it is. */
function receivedCall(call: { toolCallId: string; toolName: string; input: unknown }): ToolCall {
  const { toolCallId: id, toolName: tool, input } = call;
  return { id, tool, arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}) };
}

type Warning = NonNullable<Awaited<ReturnType<typeof generateText>>['warnings']>[number];
type Received = {
  text: string;
  finishReason: string;
  usage: LanguageModelUsage;
  calls: ToolCall[];
  warnings: Warning[];
};

function rawReply(call: Call, received: Received): RawReply {
  const { text, finishReason, usage } = received;
  const { warnings: ofCalls, ...used } = toolUses(received.calls);
  const warnings = [...received.warnings.map(warningText), ...ofCalls];
  const storable = storableText(text);
  if (storable !== text) warnings.push('Characters that cannot be stored were replaced by U+FFFD.');
  if (usage.inputTokens === undefined || usage.outputTokens === undefined) {
    warnings.push('The provider did not report token usage; it was estimated from the length of the texts.');
  }
  const input = usage.inputTokens ?? Math.ceil(lengthOf(call) / 4);
  const output = usage.outputTokens ?? Math.ceil((text.length + lengthIn(received.calls)) / 4);
  const cached = usage.inputTokenDetails.cacheReadTokens ?? null;
  const reasoning = usage.outputTokenDetails.reasoningTokens ?? null;
  return {
    text: storable,
    finishReason,
    tokenUsage: { input, output, total: input + output, cached: cached ?? 0 },
    ...((cached !== null || reasoning !== null) && { tokenDetails: { cached, reasoning } }),
    ...used,
    warnings,
  };
}

/** Characters of all that was said to the model. */
function lengthOf({ instructions, prompt, messages, tools }: Call): number {
  const said = typeof prompt === 'string' ? prompt.length : messages === undefined ? 0 : lengthIn(messages);
  const told = tools === undefined ? 0 : lengthIn(Object.values(tools).map((tool) => tool?.description ?? ''));
  return said + told + (typeof instructions === 'string' ? instructions.length : 0);
}

function lengthIn(values: readonly unknown[]): number {
  return values.length === 0 ? 0 : JSON.stringify(values).length;
}

function warningText(warning: Warning): string {
  switch (warning.type) {
    case 'unsupported':
      return `The model does not support ${warning.feature}${warning.details ? `: ${warning.details}` : '.'}`;
    case 'compatibility':
      return `${warning.feature} is used in a compatible way${warning.details ? `: ${warning.details}` : '.'}`;
    case 'deprecated':
      return `${warning.setting} is deprecated: ${warning.message}`;
    case 'other':
      return warning.message;
  }
}
