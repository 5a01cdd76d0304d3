import type { ChatRole } from '#lib/core/chat/chat-roles.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { textOf } from './text-of.ts';

/** Senders of ShareGPT (`from`) and message types of LangChain and LangSmith (`type`). */
const ROLES = new Map<unknown, ChatRole>([
  ['system', 'system'],
  ...['human', 'user'].map((name) => [name, 'user'] as const),
  ...['gpt', 'chatgpt', 'ai', 'assistant'].map((name) => [name, 'assistant'] as const),
  ['tool', 'tool'],
]);

/**
 * Converts a conversation of ShareGPT (`from`, `value`), LangChain or LangSmith (`type`, `content`, a serialized constructor, or a pair) or
 * OpenInference (`message.role`) to messages as OpenAI writes them. Returns null for other values and unknown senders.
 */
export function messagesOfOther(value: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const messages = value.flatMap(
    (one, index) => messagesOfParts(one) ?? [toolMessageOf(one, value[index - 1], index) ?? messageOf(one)],
  );
  const known = messages.filter((one) => one !== null);
  return known.length === messages.length && known.some(({ role }) => role === 'user') ? known : null;
}

function messageOf(value: unknown): Record<string, unknown> | null {
  if (Array.isArray(value)) return messageOfPair(value);
  if (!isRecord(value)) return null;
  const from = ROLES.get(value.from);
  if (from !== undefined && from !== 'tool' && typeof value.value === 'string')
    return { role: from, content: value.value };
  const traced = messageOfSpan(value);
  if (traced !== null) return traced;
  const message = isRecord(value.data) ? value.data : isConstructor(value) ? value.kwargs : value;
  const role = ROLES.get(isConstructor(value) ? classType(value.id) : value.type);
  if (role === undefined || !Object.hasOwn(message, 'content')) return null;
  const { content, name, tool_call_id, tool_calls } = message;
  const calls = Array.isArray(tool_calls) && tool_calls.length > 0 ? tool_calls.map(callOf) : undefined;
  return { role, content, ...(role === 'tool' && { name, tool_call_id }), ...(calls && { tool_calls: calls }) };
}

/** Converts a message of LangChain that is a pair of a role and a text. */
function messageOfPair([sender, content, ...others]: readonly unknown[]): Record<string, unknown> | null {
  const role = ROLES.get(sender);
  return role !== undefined && typeof content === 'string' && others.length === 0 ? { role, content } : null;
}

/** Returns true for an object that LangChain serialized as the call of its constructor. */
function isConstructor(
  value: Record<string, unknown>,
): value is { type: 'constructor'; id: unknown[]; kwargs: Record<string, unknown> } {
  return value.type === 'constructor' && Array.isArray(value.id) && isRecord(value.kwargs);
}

/** Returns the type of the messages of a class, such as `human` for `HumanMessage`. Null if the class has no name. */
function classType(id: readonly unknown[]): string | null {
  const name = id.at(-1);
  return typeof name === 'string' ? name.replace(/Message(?:Chunk)?$/, '').toLowerCase() : null;
}

/** Converts a tool call of LangChain to one of OpenAI. Returns other values unchanged, also one nested too deep to serialize. */
function callOf(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call.args)) return call;
  try {
    return { id: call.id, function: { name: call.name, arguments: JSON.stringify(call.args) } };
  } catch (error) {
    if (error instanceof RangeError) return call;
    throw error;
  }
}

/** Converts a message in a span of OpenInference. */
function messageOfSpan(value: Record<string, unknown>): Record<string, unknown> | null {
  const role = memberAt(value, ['message', 'role']);
  if (typeof role !== 'string') return null;
  const calls = memberAt(value, ['message', 'tool_calls']);
  const toolCalls = (Array.isArray(calls) ? calls : []).map((call) => ({
    id: memberAt(call, ['tool_call', 'id']),
    function: {
      name: memberAt(call, ['tool_call', 'function', 'name']),
      arguments: memberAt(call, ['tool_call', 'function', 'arguments']),
    },
  }));
  const names = role === 'tool' ? ['name', 'tool_call_id'] : [];
  return {
    role,
    content: memberAt(value, ['message', 'content']) ?? partsOfSpan(memberAt(value, ['message', 'contents'])),
    ...Object.fromEntries(names.map((name) => [name, memberAt(value, ['message', name])])),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}

/** Converts the parts of a message of OpenInference. */
function partsOfSpan(parts: unknown): unknown {
  if (!Array.isArray(parts)) return parts;
  return parts.map((part) => {
    const url = memberAt(part, ['message_content', 'image', 'image', 'url']);
    const text = memberAt(part, ['message_content', 'text']);
    return url === undefined ? { type: 'text', text } : { type: 'image_url', image_url: { url } };
  });
}

/** Returns the messages or the text of a request to a model as an instrumentation of OpenAI records it. Null for other objects. */
export function contentOfRequest(value: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value.messages)) return value.messages;
  return typeof value.model === 'string' ? (value.input ?? null) : null;
}

/** Parts that are no part of the conversation. */
const SKIPPED_PARTS: readonly unknown[] = ['reasoning', 'step-start'];

/**
 * Converts a message with `parts`: of OpenTelemetry's conventions for generative AI (`content`), or of Gemini and the AI SDK (`text`). Each
 * result of a tool becomes a message. Returns null for other values, and for parts such as images that would be lost.
 */
function messagesOfParts(value: unknown): Record<string, unknown>[] | null {
  const { role, parts }: Record<string, unknown> = isRecord(value) ? value : {};
  const known = role === 'model' ? 'assistant' : ROLES.get(role);
  if (known === undefined || !Array.isArray(parts) || !parts.every(isRecord)) return null;
  const read = parts.filter(({ type, thought }) => !SKIPPED_PARTS.includes(type) && thought !== true).map(partOf);
  if (parts.length === 0 || !read.every((part) => part !== null)) return null;
  const calls = read.flatMap((part) => ('call' in part ? [part.call] : []));
  const results = read.flatMap((part) => ('result' in part ? [part.result] : []));
  const texts = read.flatMap((part) => ('text' in part ? [part.text] : []));
  const content = texts.join('');
  // The AI SDK puts all steps of an agent into one message.
  if (known === 'assistant' && calls.length > 0 && results.length === calls.length)
    return [
      { role: known, content: '', tool_calls: calls },
      ...results,
      ...(content ? [{ role: known, content }] : []),
    ];
  const message = { role: known, content, ...(calls.length > 0 && { tool_calls: calls }) };
  return texts.length > 0 || calls.length > 0 ? [...results, message] : results;
}

type Part = { text: string } | { call: unknown } | { result: Record<string, unknown> };

/** Reads a part of a message. Returns null for parts such as images. */
function partOf(part: Record<string, unknown>): Part | null {
  const { type, id, content, text, functionCall: call, functionResponse: response } = part;
  if (type === 'tool_call') return { call: callOfPart(part) };
  if (type === 'tool_call_response') return { result: resultOf(id, part.response ?? part.result) };
  // Gemini identifies the call of a result by the name of the function.
  if (isRecord(call)) return { call: callOf({ ...call, id: call.id ?? call.name, args: call.args ?? {} }) };
  if (isRecord(response)) return { result: resultOf(response.id ?? response.name, response.response) };
  const written = type === 'text' ? (content ?? text) : text;
  return typeof written === 'string' ? { text: written } : null;
}

function resultOf(id: unknown, value: unknown): Record<string, unknown> {
  return { role: 'tool', content: isRecord(value) ? textOf(value) : value, name: undefined, tool_call_id: id };
}

function callOfPart({ id, name, arguments: given }: Record<string, unknown>): unknown {
  return typeof given === 'string' ? { id, function: { name, arguments: given } } : callOf({ id, name, args: given });
}

/** Returns a member of nested objects whose keys may be joined, such as `a.b.c` in `{a: {"b.c": 1}}` or `{"a.b.c": 1}`. */
function memberAt(value: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return value;
  if (!isRecord(value)) return undefined;
  for (let length = path.length; length > 0; length--) {
    const found = memberAt(value[path.slice(0, length).join('.')], path.slice(length));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Converts a call (`function_call`) of ShareGPT, or the result that follows one (`observation`), which have no ids. */
function toolMessageOf(value: unknown, before: unknown, index: number): Record<string, unknown> | null {
  const call = sharedCall(value);
  if (call !== null) return { role: 'assistant', content: '', tool_calls: [{ id: `call_${index}`, function: call }] };
  const answered = sharedCall(before);
  if (answered === null || !isRecord(value) || value.from !== 'observation') return null;
  return { role: 'tool', content: value.value, name: answered.name, tool_call_id: `call_${index - 1}` };
}

/**
 * Returns the messages of a conversation of ShareGPT, with unknown senders as roles so that they are reported, or null for other values.
 */
export function sharedMessages(value: unknown): { role: unknown; content: unknown }[] | null {
  const isShared = (one: unknown) => isRecord(one) && typeof one.from === 'string' && typeof one.value === 'string';
  if (!Array.isArray(value) || value.length === 0 || !value.every(isShared)) return null;
  return value.map(({ from, value: content }) => ({ role: ROLES.get(from) ?? from, content }));
}

function sharedCall(value: unknown): { name: string; arguments: unknown } | null {
  if (!isRecord(value) || value.from !== 'function_call' || typeof value.value !== 'string') return null;
  const call = parseJson(value.value);
  return isRecord(call) && typeof call.name === 'string' ? { name: call.name, arguments: call.arguments } : null;
}

/** Members that hold the answer in the outputs of traces and datasets: of LangSmith, LangChain and the API of OpenAI. */
export const ANSWER_KEYS: readonly string[] = ['messages', 'message', 'choices', 'generations', 'output'];

/** Maximum depth of a message in an answer. LangSmith nests it deepest: `output.generations[0][0].message`. */
const MAX_ANSWER_DEPTH = 10;

/**
 * Returns the text of an answer that is a message of the assistant, or a list or response that ends with one. Returns null for other values
 * and for answers that call tools.
 */
export function answerText(value: unknown, depth = 0): string | null {
  if (depth > MAX_ANSWER_DEPTH) return null;
  if (Array.isArray(value)) return answerText(value.at(-1), depth + 1);
  if (!isRecord(value)) return null;
  const message = messagesOfParts(value)?.at(-1) ?? messageOf(value) ?? value;
  if (message.role !== 'assistant') {
    const key = ANSWER_KEYS.find((one) => typeof value[one] === 'object');
    return key === undefined ? null : answerText(value[key], depth + 1);
  }
  const { content, tool_calls, toolCalls, function_call } = message;
  const calls = tool_calls ?? toolCalls;
  if (function_call || (Array.isArray(calls) && calls.length > 0)) return null;
  const parts = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const texts = parts.map((part) => (isRecord(part) && TEXT_TYPES.has(part.type) ? part.text : null));
  const text = texts.join('');
  return texts.every((one) => typeof one === 'string') && text.trim() !== '' ? text : null;
}

const TEXT_TYPES = new Set<unknown>(['text', 'output_text']);
