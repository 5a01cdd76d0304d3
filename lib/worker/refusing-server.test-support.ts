import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import { anthropicAnswer, failing, type TURN_KINDS, turnAnswer } from '#lib/providers/turn-answers.test-support.ts';
import type { Answer } from '#lib/testing/scripted-server.test-support.ts';

export type ServedKind = (typeof TURN_KINDS)[number];

/** A rejected request: its model and the unsupported parameter. */
export type Refusal = { model: string; parameter: string };

/** A check for a parameter in a request, and the error message of this kind of server. */
type Rule = { parameter: string; has: (body: Record<string, unknown>) => boolean; says: string };

const TOP_TEMPERATURE = (body: Record<string, unknown>) => body.temperature !== undefined;

/** Error messages of OpenAI, Anthropic and Google, and of vLLM, xAI and Ollama for OpenAI-compatible servers. */
const RULES: Record<ServedKind, Rule[]> = {
  openai: [
    {
      parameter: 'temperature',
      has: TOP_TEMPERATURE,
      says: "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    },
    {
      parameter: 'max_tokens',
      has: (body) => body.max_tokens !== undefined,
      says: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    },
    {
      parameter: 'response_format',
      has: (body) => body.response_format !== undefined,
      says: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    },
    {
      parameter: 'top_p',
      has: (body) => body.top_p !== undefined,
      says: "Unsupported parameter: 'top_p' is not supported with this model.",
    },
    {
      parameter: 'seed',
      has: (body) => body.seed !== undefined,
      says: "Unsupported parameter: 'seed' is not supported with this model.",
    },
    {
      parameter: 'stop',
      has: (body) => body.stop !== undefined,
      says: "Unsupported parameter: 'stop' is not supported with this model.",
    },
    {
      parameter: 'system_message',
      has: (body) => hasSystemMessage(body.messages),
      says: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    },
  ],
  anthropic: [
    { parameter: 'temperature', has: TOP_TEMPERATURE, says: '`temperature` is deprecated for this model.' },
    {
      parameter: 'top_p',
      has: (body) => body.top_p !== undefined,
      says: '`top_p` is deprecated for this model.',
    },
    {
      parameter: 'stop',
      has: (body) => body.stop_sequences !== undefined,
      says: 'stop_sequences: Extra inputs are not permitted',
    },
    {
      parameter: 'system_message',
      has: (body) => body.system !== undefined,
      says: "role 'system' is not supported on this model",
    },
  ],
  google: [
    {
      parameter: 'temperature',
      has: (body) => configOf(body).temperature !== undefined,
      says: 'Invalid JSON payload received. Unknown name "temperature": Cannot find field.',
    },
    {
      parameter: 'response_format',
      has: (body) => configOf(body).responseMimeType !== undefined,
      says: 'Json mode is not enabled for this model',
    },
    {
      parameter: 'top_p',
      has: (body) => configOf(body).topP !== undefined,
      says: 'topP is not supported for this model.',
    },
    {
      parameter: 'seed',
      has: (body) => configOf(body).seed !== undefined,
      says: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.',
    },
    {
      parameter: 'stop',
      has: (body) => configOf(body).stopSequences !== undefined,
      says: 'stopSequences is not supported for this model.',
    },
    {
      parameter: 'system_message',
      has: (body) => body.systemInstruction !== undefined,
      says: 'Developer instruction is not enabled for models/writer',
    },
  ],
  'openai-compatible': [
    {
      parameter: 'temperature',
      has: TOP_TEMPERATURE,
      says: "[{'type': 'extra_forbidden', 'loc': ('body', 'temperature'), 'msg': 'Extra inputs are not permitted', 'input': 0.2}]",
    },
    {
      parameter: 'stop',
      has: (body) => body.stop !== undefined,
      says: 'Model writer does not support parameter stop.',
    },
    {
      parameter: 'top_p',
      has: (body) => body.top_p !== undefined,
      says: "[{'type': 'extra_forbidden', 'loc': ('body', 'top_p'), 'msg': 'Extra inputs are not permitted', 'input': 0.9}]",
    },
    {
      parameter: 'seed',
      has: (body) => body.seed !== undefined,
      says: "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted', 'input': 7}]",
    },
    {
      parameter: 'reasoning_effort',
      has: (body) => body.reasoning_effort !== undefined,
      says: '"writer" does not support thinking',
    },
    { parameter: 'tools', has: (body) => body.tools !== undefined, says: 'writer does not support tools' },
    {
      parameter: 'system_message',
      has: (body) => hasSystemMessage(body.messages),
      says: 'System role not supported',
    },
  ],
};

function hasSystemMessage(messages: unknown): boolean {
  return Array.isArray(messages) && messages.some((message) => fieldOf(message, 'role') === 'system');
}

/** Returns the parameters that a kind of server rejects. */
export function refusedBy(kind: ServedKind): string[] {
  return RULES[kind].map(({ parameter }) => parameter);
}

/**
 * Returns a server of a kind that rejects parameters with its vendor's messages and records each rejection. Its models use one code word.
 * `writer` writes it if its prompt contains it, and calls the calculator first as an agent. `judge` requires it and says so. `critic` names
 * it in critiques, lessons and proposals.
 */
export function refusingServer(kind: ServedKind, refused: Refusal[]): Answer {
  return (response, body, request) => {
    const model = modelOf(body, request.url ?? '');
    const rule = RULES[kind].find(({ has }) => has(body));
    if (rule !== undefined) {
      refused.push({ model, parameter: rule.parameter });
      return failing(kind, 400, rule.says)(response, body, request);
    }
    answerOf(kind, model, body)(response, body, request);
  };
}

const WORD = 'KEY-GOOD';

function answerOf(kind: ServedKind, model: string, body: Record<string, unknown>): Answer {
  const text = JSON.stringify(body);
  if (model === 'judge') return asJson(kind, body, verdictOn(text));
  if (model === 'critic') {
    if (text.includes(PROPOSAL_FENCE))
      return turnAnswer(kind, `The word is missing.\n${PROPOSAL_FENCE}\nUse ${WORD}. {{input}}\n${PROPOSAL_FENCE}`);
    if (text.includes('An attempt at a task failed')) return turnAnswer(kind, `Use ${WORD}.`);
    const issues = [{ text: `${WORD} is missing.`, criterion: null, scope: 'whole' }];
    return asJson(kind, body, { summary: 'Look again.', issues, suggestions: [] });
  }
  const isText = text.includes('You can use these tools:');
  if (!isText && !hasTools(body)) return turnAnswer(kind, text.includes(WORD) ? `It is ${WORD}.` : 'It is bad.');
  const isObserved = /tool_result|"role":"tool"|functionResponse|Observation: \d/.test(text);
  if (!isObserved)
    return isText
      ? turnAnswer(kind, 'Thought: I add.\nAction: calculator\nAction Input: {"expression": "40+2"}')
      : turnAnswer(kind, 'I add.', [['calculator', { expression: '40+2' }]]);
  return turnAnswer(kind, isText ? `Thought: I know.\nFinal Answer: It is ${WORD}.` : `It is ${WORD}.`);
}

function verdictOn(prompt: string): object {
  const candidate = /<candidate>(.*?)<\/candidate>/.exec(prompt)?.[1] ?? '';
  const isGood = candidate.includes(WORD);
  const issues = isGood ? [] : [`${WORD} is missing`];
  const criterion = { name: 'right', score: isGood ? 1 : 0, reason: 'By its word.', issues, suggestions: [] };
  return { criteria: [criterion], issues: [], confidence: 0.9 };
}

/** Returns the JSON as a tool call if an Anthropic model is forced to use a tool, otherwise as text. */
function asJson(kind: ServedKind, body: Record<string, unknown>, value: object): Answer {
  const choice = fieldOf(body.tool_choice, 'name');
  if (kind === 'anthropic' && typeof choice === 'string')
    return anthropicAnswer([{ type: 'tool_use', id: 't0', name: choice, input: value }], 'tool_use');
  return turnAnswer(kind, JSON.stringify(value));
}

function hasTools(body: Record<string, unknown>): boolean {
  return body.tools !== undefined;
}

/** Google's API has the model in the URL. */
function modelOf(body: Record<string, unknown>, url: string): string {
  return typeof body.model === 'string' ? body.model : (/models\/([^:]+):/.exec(url)?.[1] ?? '');
}

function configOf(body: Record<string, unknown>): Record<string, unknown> {
  const config = body.generationConfig;
  return typeof config === 'object' && config !== null ? { ...config } : {};
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
