import { jsonSchema, type ModelMessage, type ToolSet } from 'ai';
import type {
  AgentCall,
  AgentMessage,
  Conversation,
  ToolCall,
  ToolDefinition,
} from '#lib/core/agents/agent-records.ts';
import { MAX_CALLS_PER_TURN } from '#lib/core/agents/calls-left-out.ts';
import type { FailedTry } from './failure-of.ts';
import type { ModelReply, ModelRequest } from './model-caller.ts';
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
  failed: Pick<FailedTry, 'status' | 'message'>,
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
export function refusesAllTools({ tools, output }: ModelRequest, words: string): boolean {
  const [phrase] = SAYS_NO_TOOLS.exec(words) ?? [];
  if (phrase === undefined || SAYS_SCHEMA.test(words)) return false;
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
const MAX_NAME_LENGTH = 200;

/**
 * Sanitizes a model's tool calls, which are untrusted: limits their size and makes them storable. Calls beyond the limit of a turn are
 * counted and reported.
 */
export function receivedCalls(
  calls: readonly AgentCall[],
): Required<Pick<ModelReply, 'toolCalls' | 'callsLeftOut' | 'warnings'>> {
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
