import type { ReasoningPart } from '@ai-sdk/provider-utils';
import type { FilePart, ModelMessage, TextPart, ToolCallPart, UserContent } from 'ai';
import { z } from 'zod';
import type { AgentMessage, ToolCall } from '#lib/core/agents/agent-records.ts';
import type { ChatFile, ChatMessage, ChatPart } from '#lib/core/chat/chat-message.ts';
import { fileName, filesOf, textOf } from '#lib/core/chat/message-content.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { quote, renameTags } from '#lib/core/prompts/quote.ts';
import type { ModelRequest } from './model-caller.ts';

/** Contents of a request's files, by id. */
export type FileBytes = ReadonlyMap<string, Uint8Array>;

/** Returns all files that a request sends. */
export function filesOfRequest({ messages = [], files = [] }: Pick<ModelRequest, 'messages' | 'files'>): ChatFile[] {
  return [...filesOf(messages), ...files];
}

/**
 * Returns the initial messages of a request: its messages, or its prompt as a user message. System messages become instructions, which
 * every provider accepts. Tool calls and results are sent natively if `sendsTools` is set and the request offers all of these tools, and
 * otherwise as text. Text files after a prompt are quoted like all other data in it.
 */
export function firstMessages(
  { instructions, prompt, messages, closing, files = [], tagEnding, tools = [] }: ModelRequest,
  bytes: FileBytes,
  sendsTools: boolean,
): { instructions: string; messages: ModelMessage[] } {
  if (messages === undefined) {
    const parts = files.map((file) => (isText(file) ? quotedText(file, bytes, tagEnding) : file));
    return { instructions, messages: [userMessage([{ type: 'text', text: prompt }, ...parts], bytes)] };
  }
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  const closed = withClosing(messages, closing);
  const asCalls = sendsTools && areAnswered(closed, new Set(tools.map(({ name }) => name)));
  return {
    instructions: [instructions, ...system].filter((text) => text.trim() !== '').join('\n\n'),
    messages: asCalls ? withCalls(closed, bytes) : inTurns(closed, bytes),
  };
}

function inTurns(messages: readonly ChatMessage[], bytes: FileBytes): ModelMessage[] {
  return merged(messages.flatMap(turnOf)).map(({ role, parts }) =>
    role === 'user' ? userMessage(parts, bytes) : { role, content: textOf({ content: [...parts] }) },
  );
}

/**
 * Returns true if all called tools are offered and each message's calls are directly followed by their results. Providers refuse other
 * conversations.
 */
function areAnswered(messages: readonly ChatMessage[], offered: ReadonlySet<string>): boolean {
  const ids = new Set<string>();
  let open = new Set<string>();
  for (const { role, toolCalls = [], toolCallId = '' } of messages) {
    if (role === 'system') continue;
    if (role === 'tool' ? !open.delete(toolCallId) : open.size > 0) return false;
    for (const { id, tool } of toolCalls) {
      if (ids.has(id) || !offered.has(tool)) return false;
      ids.add(id);
    }
    if (toolCalls.length > 0) open = new Set(toolCalls.map(({ id }) => id));
  }
  return ids.size > 0 && open.size === 0;
}

/** Sends tool calls and results natively, and the messages between them as turns. Results get the tool name of their call. */
function withCalls(messages: readonly ChatMessage[], bytes: FileBytes): ModelMessage[] {
  const tools = new Map(messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, tool }) => [id, tool] as const)));
  const groups: (AgentMessage | ChatMessage[])[] = [];
  for (const message of messages) {
    const { role, toolCalls: calls = [], toolCallId: id = '' } = message;
    const last = groups.at(-1);
    const text = textOf(message);
    if (role === 'tool') {
      const result = { id, tool: tools.get(id) ?? '', text, isError: false };
      if (!Array.isArray(last) && last?.role === 'tool') last.results.push(result);
      else groups.push({ role, results: [result] });
    } else if (calls.length > 0) groups.push({ role: 'assistant', text, calls });
    else if (Array.isArray(last)) last.push(message);
    else groups.push([message]);
  }
  return agentMessages(groups.map((one) => (Array.isArray(one) ? inTurns(one, bytes) : one)));
}

/** Appends Hone's own sections to the last user message. */
function withClosing(messages: readonly ChatMessage[], closing: string | undefined): readonly ChatMessage[] {
  if (closing === undefined) return messages;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return [...messages, { role: 'user', content: closing }];
  return messages.map((message, index) =>
    index === last ? { ...message, content: [...partsOf(message), { type: 'text', text: closing }] } : message,
  );
}

function partsOf({ content }: Pick<ChatMessage, 'content'>): ChatPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

type Turn = { role: 'user' | 'assistant'; parts: readonly ChatPart[] };

function turnOf(message: ChatMessage): Turn[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return [{ role: 'user', parts: partsOf(message) }];
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => `Tool call: ${call.tool} ${call.arguments}`);
      const text = [textOf(message), ...calls].filter((line) => line.trim() !== '').join('\n');
      return [{ role: 'assistant', parts: [{ type: 'text', text }] }];
    }
    case 'tool':
      return [
        {
          role: 'user',
          parts: [{ type: 'text', text: `Result of ${message.tool ?? 'the tool'}:\n${textOf(message)}` }],
        },
      ];
  }
}

/** Merges adjacent messages of one role because many chat templates refuse roles that do not alternate. */
function merged(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) last.parts = [...last.parts, ...turn.parts];
    else merged.push({ ...turn });
  }
  return merged;
}

/** A text without files is sent as a string because some servers accept nothing else. */
function userMessage(parts: readonly ChatPart[], bytes: FileBytes): ModelMessage {
  const joined: Exclude<UserContent, string> = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'file') joined.push(filePart(part, bytes));
    else if (last?.type === 'text') joined[joined.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` };
    else if (part.text.trim() !== '') joined.push({ type: 'text', text: part.text });
  }
  const [only, ...others] = joined;
  return { role: 'user', content: only?.type === 'text' && others.length === 0 ? only.text : joined };
}

/** Text files are sent as text because few providers accept them as files. */
function filePart(file: ChatFile, bytes: FileBytes): FilePart | TextPart {
  if (isText(file)) return { type: 'text', text: fileText(file, bytes) };
  const name = fileName(file);
  const { mediaType } = file;
  return { type: 'file', data: bytesOf(file, bytes), mediaType, ...(name !== undefined && { filename: name }) };
}

function isText({ mediaType }: ChatFile): boolean {
  return mediaType === 'text/plain';
}

function fileText(file: ChatFile, bytes: FileBytes): string {
  const name = fileName(file);
  return `${name === undefined ? 'File' : `File ${name}`}:\n${new TextDecoder().decode(bytesOf(file, bytes))}`;
}

function quotedText(file: ChatFile, bytes: FileBytes, tagEnding: string | undefined): ChatPart {
  const text = quote('case_file', fileText(file, bytes));
  return { type: 'text', text: tagEnding === undefined ? text : renameTags(text, tagEnding) };
}

function bytesOf({ file }: ChatFile, bytes: FileBytes): Uint8Array {
  const data = bytes.get(file);
  if (data === undefined) throw new Error(`the file ${file} was not loaded`);
  return data;
}

/**
 * Converts messages with tool calls to those of the AI SDK. Most providers refuse Hone's call ids, so each call gets an id of nine letters
 * and digits, which all of them accept. Messages of the AI SDK, given as lists, are kept. `replays`: the data of calls to send back.
 */
export function agentMessages(
  messages: readonly (AgentMessage | ModelMessage[])[],
  replays: 'all' | 'without_reasoning' = 'all',
): ModelMessage[] {
  const ids = new Map<string, string>();
  const wireId = (id: string) => {
    const known = ids.get(id) ?? `c${String(ids.size).padStart(8, '0')}`;
    ids.set(id, known);
    return known;
  };
  return messages.flatMap((message) => (Array.isArray(message) ? message : messageOf(message, wireId, replays)));
}

function messageOf(
  message: AgentMessage,
  wireId: (id: string) => string,
  replays: 'all' | 'without_reasoning',
): ModelMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(replays === 'all' ? message.calls.flatMap(({ replay }) => readReplay(replay).reasoning) : []),
          // Providers refuse an empty message.
          ...(message.text.trim() === '' && message.calls.length > 0
            ? []
            : [{ type: 'text' as const, text: message.text.trim() === '' ? '(no answer)' : message.text }]),
          ...message.calls.map((call) => ({
            type: 'tool-call' as const,
            toolCallId: wireId(call.id),
            toolName: call.tool,
            input: inputOf(call),
            ...readReplay(call.replay).options,
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, tool, text, isError }) => ({
          type: 'tool-result',
          toolCallId: wireId(id),
          toolName: tool,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
  }
}

/** Providers accept only objects as arguments, so anything else is wrapped in one. */
function inputOf({ arguments: text }: ToolCall): Record<string, unknown> {
  const value = parseJson(text);
  if (isRecord(value)) return value;
  return text.trim() === '' ? {} : { unreadable: text };
}

/** Reasoning of a model, as the AI SDK returns it. */
export type ReceivedReasoning = { text: string; providerMetadata?: ProviderData | undefined };
type ProviderData = NonNullable<ReasoningPart['providerOptions']>;

const providerData = z.custom<ProviderData>((value) => typeof value === 'object' && value !== null);
const replaySchema = z.object({
  reasoning: z.array(z.object({ text: z.string(), options: providerData.optional() })).optional(),
  options: providerData.optional(),
});

/** Maximum length of the data of one call, in characters. A signature is only valid for the whole text, so longer data is left out. */
const MAX_REPLAY_LENGTH = 400_000;

/**
 * Returns the data of a tool call that its provider needs back in the next turn, as JSON, or undefined. Anthropic, DeepSeek and Kimi
 * refuse a turn without the reasoning before its tool calls, and Gemini signs calls. `reasoning`: that of the turn, for its first call.
 */
export function replayOf(
  reasoning: readonly ReceivedReasoning[],
  callData: ProviderData | undefined,
): string | undefined {
  const parts = reasoning.map(({ text, providerMetadata: options }) => ({ text, ...(options && { options }) }));
  if (parts.length === 0 && callData === undefined) return undefined;
  const replay = JSON.stringify({
    ...(parts.length > 0 && { reasoning: parts }),
    ...(callData !== undefined && { options: callData }),
  });
  // The database replaces lone surrogates and U+0000, and changed data has no valid signature.
  const isStorable = replay.isWellFormed() && !replay.includes('\\u0000') && !/\\ud[89a-f]/i.test(replay);
  return replay.length <= MAX_REPLAY_LENGTH && isStorable ? replay : undefined;
}

type Replay = { reasoning: ReasoningPart[]; options: Pick<ToolCallPart, 'providerOptions'> };

/** Returns the parts of a message for the data of a call. Empty if there is none or it is unreadable. */
export function readReplay(replay: string | undefined): Replay {
  const { reasoning = [], options } =
    replay === undefined ? {} : (replaySchema.safeParse(parseJson(replay)).data ?? {});
  return {
    reasoning: reasoning.map(({ text, options: of }) => ({
      type: 'reasoning',
      text,
      ...(of && { providerOptions: of }),
    })),
    options: options === undefined ? {} : { providerOptions: options },
  };
}
