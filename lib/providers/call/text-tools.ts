import { jsonSchema, type ModelMessage, type ToolSet } from 'ai';
import type {
  AgentCall,
  AgentMessage,
  Conversation,
  ToolCall,
  ToolDefinition,
} from '#lib/core/agents/agent-records.ts';
import { MAX_CALLS_PER_TURN } from '#lib/core/agents/tool-calls.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { withoutThinking } from '#lib/core/responses.ts';
import type { FailedAttempt } from './failure-of.ts';
import type { ModelRequest, ModelResponse } from './model-caller.ts';
import { storableText } from './redact-secrets.ts';

/** Warning on responses that used tools in text. */
export const TOOLS_IN_TEXT =
  'Tools were described in the prompt, and tool calls were parsed from the text of the response.';

/** Stop sequences that end a turn with tools in text, so that the model does not invent the observation. */
export const STOP_SEQUENCES = ['\nObservation:'];

/**
 * Converts a conversation for models and servers without tool support. The instructions describe the tools, and `readToolText` parses the
 * calls from lines of text. Source: ReAct (Yao et al. 2022).
 */
export function textConversation(
  { instructions, messages: first }: { instructions: string; messages: ModelMessage[] },
  { messages, tools }: Conversation,
): { instructions: string; messages: ModelMessage[] } {
  const toolText = tools.length === 0 ? NO_TOOLS : toolInstructions(tools);
  return {
    instructions: [instructions.trim(), toolText].filter((part) => part !== '').join('\n\n'),
    messages: [...first, ...joined(messages.map(lineOf))],
  };
}

const ANSWER_FORM = `When you know the answer, write exactly:
Thought: what you think
Final Answer: the answer`;

const NO_TOOLS = ANSWER_FORM;

function toolInstructions(tools: readonly ToolDefinition[]): string {
  const list = tools.map(
    ({ name, description, parameters }) =>
      `- ${name}: ${description}\n  Arguments (JSON schema): ${JSON.stringify(parameters)}`,
  );
  return `You can use these tools:
${list.join('\n')}

To use a tool, write exactly:
Thought: what you think
Action: the name of one tool
Action Input: its arguments as one JSON object

Then end your turn: the result is given to you as an observation. Never write an observation yourself.

${ANSWER_FORM}`;
}

type TextMessage = { role: 'user' | 'assistant'; text: string };

function lineOf(message: AgentMessage): TextMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', text: message.text };
    case 'assistant':
      return {
        role: 'assistant',
        text: [`Thought: ${message.text}`.trimEnd(), ...message.calls.map(actionOf)].join('\n'),
      };
    case 'tool':
      return {
        role: 'user',
        text: message.results
          .map(({ tool, text }) =>
            message.results.length === 1 ? `Observation: ${text}` : `Observation of ${tool}: ${text}`,
          )
          .join('\n\n'),
      };
  }
}

function actionOf({ tool, arguments: text }: ToolCall): string {
  return `Action: ${tool}\nAction Input: ${text}`;
}

/** Many chat templates require alternating roles. */
function joined(lines: readonly TextMessage[]): ModelMessage[] {
  const messages: TextMessage[] = [];
  for (const line of lines) {
    const last = messages.at(-1);
    if (last?.role === line.role) last.text += `\n\n${line.text}`;
    else messages.push({ ...line });
  }
  return messages.map(({ role, text }) => ({ role, content: text }));
}

/**
 * Determines if a request failed because of its tools, from the error message. `for_good`: the server or model supports none: Ollama ("does
 * not support tools"), vLLM ("requires --enable-auto-tool-choice"), llama.cpp ("tools param requires --jinja flag"), OpenRouter ("No
 * endpoints found that support tool use"), and servers that refuse unknown fields. `this_time`: these tools, or the model's use of them,
 * such as Groq's "Failed to call a function".
 */
export function toolsRefusal(
  request: ModelRequest,
  failed: Pick<FailedAttempt, 'status' | 'message'>,
): 'for_good' | 'this_time' | null {
  if ((offeredTools(request)?.length ?? 0) === 0) return null;
  if (failed.status === null || !STATUSES.includes(failed.status) || !SAYS_TOOLS.test(failed.message)) return null;
  return SAYS_NEVER.test(failed.message) ? 'for_good' : 'this_time';
}

const STATUSES = [400, 404, 405, 415, 422, 500, 501];
const SAYS_TOOLS = /\btools?\b|\btool[_-]|function[_ -]?call|call a function/i;
const SAYS_NEVER =
  /support|enabl|requires|unknown|unexpected|unrecogni[sz]ed|extra (?:field|input)|not (?:permitted|allowed|available|implemented)/i;

/**
 * Returns true if an error means that the model or its server supports no tools. Errors about a schema or a combination of settings do not
 * count. Neither does text of the request, because servers repeat it.
 */
export function refusesAllTools({ tools, output }: ModelRequest, message: string): boolean {
  const [phrase] = SAYS_NO_TOOLS.exec(message) ?? [];
  if (phrase === undefined || SAYS_SCHEMA.test(message)) return false;
  const bare = (text: string) => text.replaceAll(/['"`\\]/g, '').toLowerCase();
  return !bare(JSON.stringify([tools, output?.jsonSchema])).includes(bare(phrase));
}

const TOOLS = String.raw`['"\`]?(?:tools|tool[ -](?:use|calls?|calling)|functions?[ -]call(?:s|ing))['"\`]?`;
/** Not "with a response schema" or "when streaming", which refuse a combination. */
const ALONE = String.raw`(?!\s+(?:with|when|while|together|in combination|if|and|for|in)\b(?!\s+(?:this|the|models?)\b))`;
const SAYS_NO_TOOLS = new RegExp(
  [
    String.raw`(?:\bnot|n['’]t) support ${TOOLS}${ALONE}`,
    String.raw`(?<!\bwith )${TOOLS} (?:is|are) (?:unsupported|not (?:supported|enabled|available|implemented))${ALONE}`,
    String.raw`\bunsupported parameter:? ['"\`]?tools\b(?![.[])`,
    String.raw`\bno endpoints found that support tool use\b`,
    String.raw`\btool choice requires --enable-auto-tool-choice\b`,
    String.raw`\btools param requires --jinja\b`,
  ].join('|'),
  'i',
);
const SAYS_SCHEMA = /schema|parameters\b|properties|declarations|\btools?(?:\.|\[)\d|response[_ ](?:format|mime)/i;

/** Returns the tools that a request offers: those of an agent, or those of a prompt. Null for a request without tools. */
export function offeredTools({ conversation, tools }: Pick<ModelRequest, 'conversation' | 'tools'>) {
  return conversation?.tools ?? tools ?? null;
}

/** Converts tools for the AI SDK. The SDK never executes them: that is a step of the loop. */
export function toolSet(tools: readonly ToolDefinition[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { description, inputSchema: jsonSchema(parameters) }]),
  );
}

/** Maximum arguments of a call, in characters. Truncated arguments are invalid JSON, and the model is notified. */
const MAX_ARGUMENTS_LENGTH = 200_000;
/** Maximum length of a tool name. Longer text is not a tool name. */
const MAX_NAME_LENGTH = 200;

/**
 * Sanitizes a model's tool calls, which are untrusted: limits their size and makes them storable. Calls beyond the limit of a turn are
 * counted and reported.
 */
export function receivedCalls(
  calls: readonly AgentCall[],
): Required<Pick<ModelResponse, 'toolCalls' | 'callsLeftOut' | 'warnings'>> {
  const toolCalls = calls.slice(0, MAX_CALLS_PER_TURN).map((call) => ({
    id: storableText(call.id.slice(0, MAX_NAME_LENGTH)),
    tool: storableText(call.tool.slice(0, MAX_NAME_LENGTH)),
    arguments: storableText(call.arguments.slice(0, MAX_ARGUMENTS_LENGTH)),
    ...(call.replay !== undefined && { replay: call.replay }),
  }));
  const callsLeftOut = calls.length - toolCalls.length;
  const warnings =
    callsLeftOut > 0
      ? [`The model requested ${calls.length} tool calls in one turn. Only the first ${MAX_CALLS_PER_TURN} were used.`]
      : [];
  return { toolCalls, callsLeftOut, warnings };
}

/** Parsed text of a model that uses tools in text. `answer` is null if it calls tools or contains only a thought. */
type ToolText = { thought: string; calls: { tool: string; arguments: string }[]; answer: string | null };

/**
 * Parses the lines `Thought:`, `Action:`, `Action Input:` and `Final Answer:`, and the older form of published logs, `Action 1:
 * Search[text]` and `Finish[text]`. The first tool call or answer counts. Observations that the model invented are ignored. A text without
 * such lines is the answer. Never throws. Source: ReAct (Yao et al. 2022).
 */
export function readToolText(
  response: string,
  tools: readonly Pick<ToolDefinition, 'name' | 'parameters'>[],
): ToolText {
  const text = withoutThinking(response);
  const parts = partsOf(text);
  if (parts.length === 0) return { thought: '', calls: [], answer: text.trim() };
  const thoughts: string[] = [text.slice(0, parts[0]?.start ?? 0).trim()];
  const calls: ToolText['calls'] = [];
  let action: string | null = null;
  const close = (argumentText: string | null) => {
    if (action === null) return;
    calls.push(callOf(action, argumentText, tools));
    action = null;
  };
  /** Whether no call was read yet, so that an answer counts. */
  const isFirst = () => calls.length === 0 && action === null;
  const begin = (content: string): string | null => {
    close(null);
    const finished = finishOf(content);
    if (finished !== null) return isFirst() ? finished : null;
    if (!/^(?:none|n\/a|-)?\.?$/i.test(content)) action = content;
    return null;
  };
  /** Returns the answer if the part contains it. */
  const read = ({ kind, text: content, start }: Part): string | null => {
    switch (kind) {
      case 'thought':
        if (isFirst()) thoughts.push(content);
        return null;
      case 'action':
        return begin(content);
      case 'input':
        if (action !== null && calls.length === 0 && FINISH.test(action)) return content;
        close(content);
        return null;
      case 'answer':
        return isFirst() ? afterMarker(text.slice(start)) : null;
      case 'observation':
        return null;
    }
  };
  for (const part of parts) {
    if (part.kind === 'observation') break;
    const answer = read(part);
    if (answer !== null) return { thought: joinThoughts(thoughts), calls: [], answer: answer.trim() };
  }
  close(null);
  return { thought: joinThoughts(thoughts), calls, answer: null };
}

type Kind = 'thought' | 'action' | 'input' | 'observation' | 'answer';
type Part = { kind: Kind; text: string; start: number };

const MARKER =
  /^[ \t>*#-]*(thought|action input|action|observation|final answer)(?:[ \t]+(?:\d{1,4}|of [\w-]{1,64}))?[ \t]*(?:\*+[ \t]*)?:[ \t]*\**/gim;

const KINDS: Record<string, Kind> = {
  thought: 'thought',
  action: 'action',
  'action input': 'input',
  observation: 'observation',
  'final answer': 'answer',
};

/** Returns the marked parts in order, each up to the next marker. */
function partsOf(text: string): Part[] {
  const marks = [...text.matchAll(MARKER)];
  return marks.flatMap((mark, index) => {
    const kind = KINDS[(mark[1] ?? '').toLowerCase()];
    if (kind === undefined) return [];
    const end = marks[index + 1]?.index ?? text.length;
    return [{ kind, text: text.slice(mark.index + mark[0].length, end).trim(), start: mark.index }];
  });
}

/** Returns the text after the marker up to the end, including all lines. */
function afterMarker(text: string): string {
  return text.replace(/^[^:]*:[ \t]*\**/, '').trim();
}

function joinThoughts(thoughts: readonly string[]): string {
  return thoughts.filter((thought) => thought !== '').join('\n');
}

const FINISH = /^[`"']?(?:finish|final[ _]answer)[`"']?$/i;

/** Returns the answer of `Finish[answer]`, or null for another action. */
function finishOf(action: string): string | null {
  const opening = /^finish[ \t]*\[/i.exec(action);
  if (opening === null) return null;
  return action.slice(opening[0].length, action.endsWith(']') ? -1 : undefined);
}

function callOf(
  action: string,
  input: string | null,
  tools: readonly Pick<ToolDefinition, 'name' | 'parameters'>[],
): ToolText['calls'][number] {
  const bracketed = input === null ? /^([\w.-]{1,128})\s*(?:\[([\s\S]*)\]|\(([\s\S]*)\))\s*$/.exec(action) : null;
  const [firstLine = ''] = action.split('\n');
  const named = (bracketed?.[1] ?? firstLine.slice(0, MAX_NAME_LENGTH)).replace(/^[\s`"'*]+|[\s`"'*.]+$/g, '');
  const tool = toolNamed(named, tools);
  const argumentText = bracketed?.[2] ?? bracketed?.[3] ?? input ?? action.slice(firstLine.length);
  return { tool: tool?.name ?? named, arguments: argumentsOf(withoutFence(argumentText), tool) };
}

function toolNamed<Tool extends { name: string }>(name: string, tools: readonly Tool[]): Tool | undefined {
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase().replaceAll(' ', '_'))
  );
}

/** Removes a code fence (```` ```json … ``` ````) around a text. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const opening = /^```\w*/.exec(trimmed);
  if (opening === null) return trimmed;
  const end = trimmed.indexOf('```', opening[0].length);
  return trimmed.slice(opening[0].length, end === -1 ? undefined : end).trim();
}

/** If the text is not a JSON object, it becomes the value of the tool's only text property, if there is one. */
function argumentsOf(text: string, tool: Pick<ToolDefinition, 'parameters'> | undefined): string {
  const value = parseJson(text);
  if (isRecord(value)) return text;
  const property = tool === undefined ? null : onlyText(tool.parameters);
  if (property === null || text === '') return text;
  return JSON.stringify({ [property]: typeof value === 'string' ? value : text });
}

/** Returns the name of the only required property, or of the only property. */
function onlyText(parameters: Record<string, unknown>): string | null {
  const { properties, required } = parameters;
  if (!isRecord(properties)) return null;
  const names = Array.isArray(required) && required.length > 0 ? required : Object.keys(properties);
  const [only, ...more] = names;
  if (typeof only !== 'string' || more.length > 0) return null;
  const schema = properties[only];
  return isRecord(schema) && schema.type === 'string' ? only : null;
}
