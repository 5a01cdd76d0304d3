import type { AgentMessage } from '#lib/core/agents/agent-records.ts';
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
const MAX_PART_LENGTH = 20_000;

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
      ...(capturesContent && { 'gen_ai.output.messages': formatOutputMessages(outcome.reply, apiKey) }),
    },
  };
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
  const tools = [...promptTools, ...(conversation?.tools ?? [])].map(({ name, description }) => ({
    type: 'function',
    name,
    description: shown(description),
  }));
  return {
    'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: shown(instructions) }]),
    'gen_ai.input.messages': JSON.stringify(messages),
    'gen_ai.tool.definitions': tools.length === 0 ? undefined : JSON.stringify(tools),
  };
}

function textMessage(role: string, content: string) {
  return { role, parts: [{ type: 'text', content }] };
}

function messageOf(message: AgentMessage, shown: (text: string) => string) {
  switch (message.role) {
    case 'user':
      return { role: 'user', parts: [{ type: 'text', content: shown(message.text) }] };
    case 'assistant':
      return {
        role: 'assistant',
        parts: [
          { type: 'text', content: shown(message.text) },
          ...message.calls.map((call) => ({
            type: 'tool_call',
            id: call.id,
            name: call.tool,
            arguments: shown(call.arguments),
          })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        parts: message.results.map(({ id, text }) => ({ type: 'tool_call_response', id, response: shown(text) })),
      };
  }
}

function formatOutputMessages(reply: Extract<ModelOutcome, { ok: true }>['reply'], apiKey: string | null): string {
  const shown = (text: string) => redactSecrets(text, apiKey).slice(0, MAX_PART_LENGTH);
  const { text, thought, toolCalls, finishReason } = reply;
  const parts = [
    ...(thought === undefined ? [] : [{ type: 'reasoning', content: shown(thought) }]),
    { type: 'text', content: shown(text) },
    ...(toolCalls ?? []).map((call) => ({
      type: 'tool_call',
      id: call.id,
      name: call.tool,
      arguments: shown(call.arguments),
    })),
  ];
  return JSON.stringify([{ role: 'assistant', parts, finish_reason: finishReason }]);
}
