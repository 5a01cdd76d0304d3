import type { AgentCall, AgentMessage } from '#lib/core/agents/agent-records.ts';
import { readableText } from '#lib/core/chat/message-content.ts';
import type { ModelOutcome, ModelRequest } from '#lib/core/model-request.ts';
import { redactSecrets, secretsOf } from '#lib/providers/call/redact-secrets.ts';
import { baseUrlOf, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';

/** Attributes of a span. `undefined` ones are left out. Names: OpenTelemetry's semantic conventions for generative AI, and `hone.*`. */
export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;

/** Start of a span. `inherited` attributes are also set on every span inside it. */
export type SpanStart = {
  name: string;
  kind: 'client' | 'internal';
  attributes: SpanAttributes;
  inherited?: SpanAttributes;
};
/** End of a span. `error` has a type and a message that is safe to export. */
export type SpanEnd = { attributes?: SpanAttributes; error?: { type: string; message: string } | null };

export type Tracer = {
  /** True if spans may contain message content, redacted. The operator decides. */
  capturesContent: boolean;
  /** Runs `work` in a span. Errors of the span itself do not affect the work. */
  inSpan<Value>(start: SpanStart, work: () => Promise<Value>, endOf: (value: Value) => SpanEnd): Promise<Value>;
};

declare global {
  // Pages, routes and the worker are separate module instances that share only `globalThis`.
  var honeTracer: Tracer | undefined;
}

/** Runs some work, in a span if an exporter is configured. Otherwise no span data is computed. */
export function traced<Value>(
  startOf: (capturesContent: boolean) => SpanStart,
  work: () => Promise<Value>,
  endOf: (value: Value, capturesContent: boolean) => SpanEnd,
): Promise<Value> {
  const tracer = globalThis.honeTracer;
  if (tracer === undefined) return work();
  const { capturesContent } = tracer;
  return tracer.inSpan(startOf(capturesContent), work, (value) => endOf(value, capturesContent));
}

/** Maximum text of one message part, in characters. */
export const MAX_PART_LENGTH = 20_000;

/** Returns the start of a model call's span. Source: OpenTelemetry semantic conventions, generative AI client spans. */
export function callSpan(request: ModelRequest, provider: ProviderConfiguration, capturesContent: boolean): SpanStart {
  const { role, ordinal, model, temperature, maxOutputTokens, sampling = {}, output } = request;
  const operation = role === 'embed' ? 'embeddings' : 'chat';
  const url = baseUrlOf(provider);
  const address = url !== null && URL.canParse(url) ? new URL(url) : null;
  return {
    name: `${operation} ${model.model}`,
    kind: 'client',
    attributes: {
      'openinference.span.kind': operation === 'chat' ? 'LLM' : 'EMBEDDING',
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': PROVIDER_DEFINITIONS[provider.kind].traceName ?? provider.name,
      'gen_ai.request.model': model.model,
      'gen_ai.request.temperature': temperature ?? undefined,
      'gen_ai.request.max_tokens': maxOutputTokens ?? undefined,
      'gen_ai.request.top_p': sampling.topP,
      'gen_ai.request.seed': sampling.seed,
      'gen_ai.request.stop_sequences': sampling.stopSequences,
      'hone.request.reasoning_effort': sampling.reasoningEffort,
      'gen_ai.output.type': operation === 'embeddings' ? undefined : output === null ? 'text' : 'json',
      'server.address': address?.hostname,
      'server.port': address === null ? undefined : portOf(address),
      'hone.call.role': role,
      'hone.call.ordinal': ordinal,
      ...(capturesContent && operation === 'chat' && formatInputAttributes(request, secretsOf(provider))),
    },
  };
}

/** Returns the end of a model call's span. */
export function callSpanEnd(outcome: ModelOutcome, apiKey: string | null, capturesContent: boolean): SpanEnd {
  const spent = outcome.ok ? outcome.reply : outcome.failure;
  const attributes: SpanAttributes = {
    'gen_ai.usage.input_tokens': spent.tokenUsage.input,
    'gen_ai.usage.output_tokens': spent.tokenUsage.output,
    'hone.call.attempts': spent.attempts,
    'hone.call.cost_usd': spent.costUsd ?? undefined,
    // The conventions have no cost. Langfuse reads the first of these, OpenInference defines the second.
    'gen_ai.usage.cost': spent.costUsd ?? undefined,
    'llm.cost.total': spent.costUsd ?? undefined,
  };
  if (!outcome.ok) {
    const { kind, message, status } = outcome.failure;
    return {
      attributes: { ...attributes, 'http.response.status_code': status ?? undefined },
      error: { type: kind, message: redactSecrets(message, apiKey) },
    };
  }
  const { finishReason, tokenDetails } = outcome.reply;
  return {
    attributes: {
      ...attributes,
      'gen_ai.response.finish_reasons': [finishReason],
      'gen_ai.usage.cache_read.input_tokens': tokenDetails?.cached ?? undefined,
      'gen_ai.usage.reasoning.output_tokens': tokenDetails?.reasoning ?? undefined,
      ...(capturesContent && formatOutputAttributes(outcome.reply, apiKey)),
    },
  };
}

/** Returns an input or output as OpenInference names it. Phoenix shows only these attributes. */
export function valueAttributes(
  side: 'input' | 'output',
  value: string,
  type: 'text/plain' | 'application/json',
): SpanAttributes {
  return { [`${side}.value`]: value, [`${side}.mime_type`]: type };
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function formatInputAttributes(
  { instructions, prompt, messages: chat, closing, tools: promptTools = [], conversation }: ModelRequest,
  secrets: readonly string[],
): SpanAttributes {
  const shown = (text: string) => [null, ...secrets].reduce(redactSecrets, text).slice(0, MAX_PART_LENGTH);
  const messages = [
    ...(chat === undefined
      ? [textMessage('user', shown(prompt))]
      : [
          ...chat.map((message) => textMessage(message.role, shown(readableText(message)))),
          ...(closing === undefined ? [] : [textMessage('user', shown(closing))]),
        ]),
    ...(conversation?.messages ?? []).map((message) => messageOf(message, shown)),
  ];
  const system = instructions === '' ? [] : [textMessage('system', shown(instructions))];
  const tools = [...promptTools, ...(conversation?.tools ?? [])].map(({ name, description }) => ({
    type: 'function',
    name,
    description: shown(description),
  }));
  return {
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: shown(instructions) }]),
    'gen_ai.input.messages': JSON.stringify(messages),
    'gen_ai.tool.definitions': tools.length === 0 ? undefined : JSON.stringify(tools),
    ...valueAttributes('input', formatChat([...system, ...messages]), 'application/json'),
  };
}

type SpanPart =
  | { type: 'text' | 'reasoning'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: string }
  | { type: 'tool_call_response'; id: string; response: string };
type SpanMessage = { role: string; parts: SpanPart[] };

function textMessage(role: string, content: string): SpanMessage {
  return { role, parts: [{ type: 'text', content }] };
}

/** Formats messages as OpenAI does, without reasoning. */
function formatChat(messages: readonly SpanMessage[]): string {
  const chat = messages.flatMap(({ role, parts }): object[] => {
    if (role === 'tool')
      return parts.flatMap((part) =>
        part.type === 'tool_call_response' ? [{ role, tool_call_id: part.id, content: part.response }] : [],
      );
    const content = parts.flatMap((part) => (part.type === 'text' ? [part.content] : [])).join('\n');
    const calls = parts.flatMap((part) =>
      part.type === 'tool_call'
        ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.arguments } }]
        : [],
    );
    return [{ role, content, ...(calls.length > 0 && { tool_calls: calls }) }];
  });
  return JSON.stringify({ messages: chat });
}

function toolCallPart({ id, tool, arguments: given }: AgentCall, shown: (text: string) => string): SpanPart {
  return { type: 'tool_call', id, name: tool, arguments: shown(given) };
}

function messageOf(message: AgentMessage, shown: (text: string) => string): SpanMessage {
  switch (message.role) {
    case 'user':
      return textMessage('user', shown(message.text));
    case 'assistant':
      return {
        role: 'assistant',
        parts: [
          { type: 'text', content: shown(message.text) },
          ...message.calls.map((call) => toolCallPart(call, shown)),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        parts: message.results.map(({ id, text }) => ({ type: 'tool_call_response', id, response: shown(text) })),
      };
  }
}

function formatOutputAttributes(
  { text, thought, toolCalls = [], finishReason }: Extract<ModelOutcome, { ok: true }>['reply'],
  apiKey: string | null,
): SpanAttributes {
  const shown = (text: string) => redactSecrets(text, apiKey).slice(0, MAX_PART_LENGTH);
  const reasoning: SpanPart[] = thought === undefined ? [] : [{ type: 'reasoning', content: shown(thought) }];
  const calls = toolCalls.map((call) => toolCallPart(call, shown));
  const message = {
    role: 'assistant',
    parts: [...reasoning, { type: 'text' as const, content: shown(text) }, ...calls],
  };
  return {
    'gen_ai.output.messages': JSON.stringify([{ ...message, finish_reason: finishReason }]),
    ...(calls.length === 0
      ? valueAttributes('output', shown(text), 'text/plain')
      : valueAttributes('output', formatChat([message]), 'application/json')),
  };
}
