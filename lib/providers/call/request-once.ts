import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { injectJsonInstructionIntoMessages } from '@ai-sdk/provider-utils';
import {
  asSchema,
  embedMany,
  generateText,
  type LanguageModelMiddleware,
  type LanguageModelUsage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';
import { type AgentCall, plainCall } from '#lib/core/agents/agent-records.ts';
import { TOKENS_OF_FILE } from '#lib/core/chat/chat-message.ts';
import { textsToEmbed, vectorsText } from '#lib/core/embedding-request.ts';
import { estimatedTokens, tokenLength } from '#lib/core/estimated-tokens.ts';
import { isRecord } from '#lib/core/is-record.ts';
import type { ReachableModel } from '#lib/providers/language-model.ts';
import { currentAttempt, type RawResponse } from './attempt-once.ts';
import type { CallPlan } from './call-plan.ts';
import {
  agentMessages,
  type FileBytes,
  filesOfRequest,
  firstMessages,
  type ReceivedReasoning,
  replayOf,
} from './chat-messages.ts';
import type { ModelRequest } from './model-caller.ts';
import { storableText } from './redact-secrets.ts';
import { offeredTools, readToolText, receivedCalls, STOP_SEQUENCES, textConversation, toolSet } from './text-tools.ts';

/** Maximum tool calls of a non-streamed response that the SDK reads, because its time grows with their square. Far fewer are used. */
const MAX_READ_CALLS = 1_000;

/**
 * Makes the ids of tool calls in a non-streamed response unique. Some servers use the same id for all calls of a turn, but the SDK looks up
 * such calls by id. Hone identifies calls by position.
 */
const uniqueCallIds: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate }) {
    const response = await doGenerate();
    const usedIds = new Set<string>();
    const content = response.content.flatMap((part, index) => {
      if (part.type !== 'tool-call') return part;
      if (usedIds.size === MAX_READ_CALLS) return [];
      const toolCallId = usedIds.has(part.toolCallId) ? `${part.toolCallId} ${index}` : part.toolCallId;
      usedIds.add(toolCallId);
      return { ...part, toolCallId };
    });
    return { ...response, content };
  },
};

/** Moves the system messages of a request to the start of its first user message. */
const withoutSystemMessages: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async transformParams({ params }) {
    const system = params.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []));
    const [first, ...others] = params.prompt.filter(({ role }) => role !== 'system');
    const isUser = first?.role === 'user';
    const [part, ...parts] = isUser ? first.content : [];
    // One text stays one part because some servers accept only a string.
    const text = part?.type === 'text' ? [...system, part.text] : system;
    const content = [
      { type: 'text' as const, text: text.join('\n\n') },
      ...(part?.type === 'file' ? [part] : []),
      ...parts,
    ];
    const rest = isUser || first === undefined ? others : [first, ...others];
    return { ...params, prompt: [{ role: 'user', content }, ...rest] };
  },
};

type Target = Extract<ReachableModel, { ok: true }>;

/**
 * Makes one attempt at a request, sent according to its plan. With `onText` the response is streamed. `onPiece` is called with each piece
 * of any kind. Throws the errors of the AI SDK and never retries.
 */
export async function requestOnce(
  target: Target,
  plan: Pick<CallPlan, 'request' | 'toolsBy' | 'schemaInPrompt' | 'systemInPrompt' | 'sendsStop'> & {
    sendsReasoning?: boolean;
  },
  options: { signal: AbortSignal; onText: ((piece: string) => void) | null; onPiece: () => void },
  files: FileBytes = new Map(),
): Promise<RawResponse> {
  const { request, toolsBy } = plan;
  // Warnings are saved with the response, so the SDK need not print them.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const structured =
    request.output === null
      ? []
      : [structuredRequest(request.output, plan.schemaInPrompt ? 'prompt' : target.structured)];
  const moved = plan.systemInPrompt ? [withoutSystemMessages] : [];
  const call = {
    model: wrapLanguageModel({ model: target.model, middleware: [...structured, ...moved, uniqueCallIds] }),
    ...buildRequestContent(
      request,
      { toolsBy, sendsReasoning: plan.sendsReasoning === true || !withholdsReasoning(target) },
      files,
    ),
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(request.maxOutputTokens !== null && { maxOutputTokens: request.maxOutputTokens }),
    ...sampledBy(request, plan),
    maxRetries: 0,
    abortSignal: options.signal,
    ...providerOptionsOf(target, request),
  };
  const context = currentAttempt();
  const inputTokens = estimatedInput(call, plan);
  if (context !== undefined) context.inputTokens = inputTokens;
  const received = (length: number) => {
    if (context !== undefined) context.receivedLength += length;
    options.onPiece();
  };
  const response = await (options.onText === null
    ? generate(call, inputTokens)
    : stream(call, inputTokens, options.onText, received));
  const tools = offeredTools(request);
  if (tools !== null && toolsBy === 'prompt') return inText(response, tools);
  // OpenAI does not need its data back.
  const isReplayed = request.conversation !== undefined && target.optionsKey !== 'openai';
  const { toolCalls } = response;
  return toolCalls === undefined || isReplayed ? response : { ...response, toolCalls: toolCalls.map(plainCall) };
}

/**
 * Returns true if a target gets a model's reasoning back only if it asks for it. Some OpenAI-compatible servers refuse the field with the
 * reasoning.
 */
export function withholdsReasoning({ optionsKey }: Pick<Target, 'optionsKey'>): boolean {
  return optionsKey === 'openaiCompatible';
}

type Call = Parameters<typeof generateText>[0];

/** Returns the content sent to the model and how it is sent. */
function buildRequestContent(
  request: ModelRequest,
  { toolsBy, sendsReasoning }: Pick<CallPlan, 'toolsBy'> & { sendsReasoning: boolean },
  bytes: FileBytes,
) {
  const { instructions, prompt, files } = request;
  const tools = offeredTools(request);
  if (tools === null && request.messages === undefined && files === undefined)
    return { ...instructed(instructions), prompt };
  const first = firstMessages(request, bytes, toolsBy === 'native');
  if (tools === null) return { ...instructed(first.instructions), messages: first.messages };
  const conversation = { messages: request.conversation?.messages ?? [], tools };
  if (toolsBy === 'prompt') {
    const messages = textConversation(first, conversation);
    return { ...instructed(messages.instructions), messages: messages.messages };
  }
  const { messages } = conversation;
  return {
    ...instructed(first.instructions),
    messages: [...first.messages, ...agentMessages(messages, sendsReasoning ? 'all' : 'without_reasoning')],
    ...(tools.length > 0 && { tools: toolSet(tools) }),
  };
}

/** Returns the call settings except temperature and token limit. Tools in text add their own stop sequences. */
function sampledBy({ sampling = {} }: ModelRequest, { sendsStop }: Pick<CallPlan, 'sendsStop'>) {
  const { topP, seed, stopSequences = [], reasoningEffort: reasoning, headers } = sampling;
  const stops = [...stopSequences, ...(sendsStop ? STOP_SEQUENCES : [])];
  return {
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(stops.length > 0 && { stopSequences: stops }),
    ...(reasoning !== undefined && { reasoning }),
    ...(headers !== undefined && { headers }),
  };
}

/** Merges the AI SDK's provider options. Those of the settings override Hone's own. */
function providerOptionsOf({ optionsKey, providerOptions }: Target, { sampling, output }: ModelRequest) {
  const options = { ...providerOptions, ...looseSchema(optionsKey, output), ...sampling?.providerOptions };
  return Object.keys(options).length === 0 ? {} : { providerOptions: { [optionsKey]: options } };
}

/**
 * The SDK requests OpenAI's strict mode. OpenAI then refuses a schema unless each object requires all its properties, allows no others, and
 * uses only certain keywords. Other user schemas are sent without strict mode. Source: OpenAI, Structured model outputs, Supported schemas.
 */
function looseSchema(optionsKey: string, output: ModelRequest['output']) {
  if (output?.jsonSchema === undefined || optionsKey !== 'openai') return {};
  return isStrict(output.jsonSchema) && output.jsonSchema.anyOf === undefined ? {} : { strictJsonSchema: false };
}

const STRICT_KEYWORDS = new Set(
  [
    ['$schema', '$ref', '$defs', 'definitions', 'title', 'description', 'type', 'enum', 'const', 'anyOf'],
    ['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'pattern', 'format'],
    ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ].flat(),
);
const STRICT_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

function isStrict(value: unknown): boolean {
  if (!isRecord(value) || !Object.keys(value).every((keyword) => STRICT_KEYWORDS.has(keyword))) return false;
  const { type, properties, required, additionalProperties, items, anyOf = [], format } = value;
  if (!['type', '$ref', 'anyOf', 'enum', 'const'].some((keyword) => keyword in value)) return false;
  if (format !== undefined && !STRICT_FORMATS.some((known) => known === format)) return false;
  const isObject = properties !== undefined || [type].flat().includes('object');
  const members = properties ?? (isObject ? null : {});
  if (!isRecord(members)) return false;
  const listed = new Set(Array.isArray(required) ? required : []);
  if (isObject && (additionalProperties !== false || !Object.keys(members).every((name) => listed.has(name))))
    return false;
  if (items === undefined && [type].flat().includes('array')) return false;
  const definitions = [value.$defs, value.definitions].flatMap((named) =>
    isRecord(named) ? Object.values(named) : [],
  );
  const parts = [...Object.values(members), ...[anyOf].flat(), ...definitions, ...(items === undefined ? [] : [items])];
  return parts.every(isStrict);
}

function instructed(instructions: string) {
  return instructions.trim() === '' ? {} : { instructions };
}

/** Converts a response with tools in text to its thought and its calls or answer. */
function inText(response: RawResponse, tools: Parameters<typeof readToolText>[1]): RawResponse {
  const { thought, calls, answer } = readToolText(response.text, tools);
  if (calls.length > 0) {
    const { warnings, ...used } = toolUses(calls.map((call, index) => ({ ...call, id: String(index) })));
    const finishReason = usedTools(response);
    return { ...response, ...used, warnings: [...response.warnings, ...warnings], text: thought, finishReason };
  }
  return { ...response, text: answer ?? '', ...(thought !== '' && { thought }) };
}

/** Returns the tool calls of a response, the number left out, and warnings. */
function toolUses(calls: readonly AgentCall[]): Pick<RawResponse, 'toolCalls' | 'callsLeftOut' | 'warnings'> {
  const { toolCalls, callsLeftOut, warnings } = receivedCalls(calls);
  return { ...(toolCalls.length > 0 && { toolCalls }), ...(callsLeftOut > 0 && { callsLeftOut }), warnings };
}

/** If the tokens ran out, the last call may be incomplete. */
function usedTools({ finishReason }: RawResponse): string {
  return finishReason === 'length' ? finishReason : 'tool-calls';
}

async function generate(call: Call, inputTokens: number): Promise<RawResponse> {
  const generated = await generateText(call);
  const { text, usage, toolCalls, content, warnings } = generated;
  const finishReason = finishReasonOf(generated);
  const reasoning = content.filter((part) => part.type === 'reasoning');
  const calls = toolCalls.map((one, index) => receivedCall(one, index === 0 ? reasoning : []));
  return rawResponse(inputTokens, { text, finishReason, usage, calls, reasoning, warnings: warnings ?? [] });
}

async function stream(
  call: Call,
  inputTokens: number,
  onText: (piece: string) => void,
  received: (length: number) => void,
): Promise<RawResponse> {
  const result = streamText({ ...call, onError: () => {} });
  const pieces: string[] = [];
  const calls: AgentCall[] = [];
  const reasoning: ReceivedReasoning[] = [];
  const open = new Map<string, ReceivedReasoning>();
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
      case 'reasoning-start': {
        const begun = { text: '', providerMetadata: part.providerMetadata };
        open.set(part.id, begun);
        reasoning.push(begun);
        break;
      }
      case 'reasoning-delta':
      case 'reasoning-end': {
        const begun = open.get(part.id);
        if (begun === undefined) break;
        if (part.type === 'reasoning-delta') begun.text += part.text;
        begun.providerMetadata = part.providerMetadata ?? begun.providerMetadata;
        break;
      }
      case 'tool-call':
        calls.push(receivedCall(part, calls.length === 0 ? reasoning : []));
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new DOMException('The call was aborted.', 'AbortError');
      case 'finish': {
        const { totalUsage: usage } = part;
        const finishReason = finishReasonOf(part);
        return rawResponse(inputTokens, { text: pieces.join(''), finishReason, usage, calls, reasoning, warnings });
      }
    }
  }
  throw new StreamCutError();
}

/**
 * Returns the reason why a response ended. Throws if the server failed while answering: OpenRouter then reports `error`, and DeepSeek
 * `insufficient_system_resource`. Mistral reports `model_length` if the context is full.
 */
function finishReasonOf({
  finishReason,
  rawFinishReason = '',
}: {
  finishReason: string;
  rawFinishReason?: string | undefined;
}) {
  if (finishReason === 'interrupted' || ['error', 'insufficient_system_resource'].includes(rawFinishReason))
    throw new StreamCutError();
  return rawFinishReason === 'model_length' ? 'length' : finishReason;
}

/** Returns the length of the text in a stream part that is probably billed, see `tokenLength`. */
function lengthOfPiece(part: TextStreamPart<ToolSet>): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return tokenLength(part.text);
    case 'tool-input-delta':
      return tokenLength(part.delta);
    default:
      return 0;
  }
}

/** Error for a stream that ended before the response was complete. */
export class StreamCutError extends Error {
  constructor() {
    super('the response ended early');
    this.name = 'StreamCutError';
  }
}

type SdkCall = {
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerMetadata?: ReceivedReasoning['providerMetadata'];
};

/** Arguments that are not valid JSON are kept as text. */
function receivedCall(call: SdkCall, reasoning: readonly ReceivedReasoning[]): AgentCall {
  const { toolCallId: id, toolName: tool, input, providerMetadata } = call;
  const replay = replayOf(reasoning, providerMetadata);
  return {
    id,
    tool,
    arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    ...(replay !== undefined && { replay }),
  };
}

type Warning = NonNullable<Awaited<ReturnType<typeof generateText>>['warnings']>[number];
type Received = {
  text: string;
  finishReason: string;
  usage: LanguageModelUsage;
  calls: AgentCall[];
  reasoning: readonly ReceivedReasoning[];
  warnings: Warning[];
};

function rawResponse(inputTokens: number, received: Received): RawResponse {
  const { text, finishReason, usage } = received;
  const { warnings: ofCalls, ...used } = toolUses(received.calls);
  const warnings = [...received.warnings.map(warningText), ...ofCalls];
  const storable = storableText(text);
  if (storable !== text) warnings.push('Characters that cannot be stored were replaced by U+FFFD.');
  // Every request has input. Servers that do not count, such as LitServe, report zeros.
  const reported =
    usage.inputTokens === 0
      ? { ...usage, inputTokens: undefined, outputTokens: usage.outputTokens || undefined }
      : usage;
  if (reported.inputTokens === undefined || reported.outputTokens === undefined) {
    warnings.push('The provider did not report token usage. Hone estimated it from the length of the texts.');
  }
  const input = reported.inputTokens ?? inputTokens;
  const output = reported.outputTokens ?? estimatedTokens(textOfResponse(received));
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

function textOfResponse({ text, reasoning, calls }: Received): string {
  return [text, ...reasoning.map((part) => part.text), textIn(calls.map(plainCall))].join('');
}

/** Estimates the tokens of a request: those of its texts and tools, and `TOKENS_OF_FILE` for each image or document. */
function estimatedInput(call: Call, { request, toolsBy }: Pick<CallPlan, 'request' | 'toolsBy'>): number {
  const files = filesOfRequest(request).filter(({ mediaType }) => mediaType !== 'text/plain').length;
  // Tools in text are part of the instructions.
  const tools = toolsBy === 'native' ? (offeredTools(request) ?? []) : [];
  return estimatedTokens(textOfCall(call) + textIn(tools)) + files * TOKENS_OF_FILE;
}

/** Returns the text sent to the model, without tools and files. */
function textOfCall({ instructions, prompt, messages }: Call): string {
  const text = typeof prompt === 'string' ? prompt : textIn(messages ?? []);
  return [typeof instructions === 'string' ? instructions : '', text].join('');
}

function textIn(values: readonly unknown[]): string {
  if (values.length === 0) return '';
  return JSON.stringify(values, (_key, value) => (value instanceof Uint8Array ? '' : value));
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

/** Makes one attempt at an embedding request. Throws the errors of the AI SDK and never retries. */
export async function embedOnce(
  model: EmbeddingModelV4,
  request: ModelRequest,
  { signal }: { signal: AbortSignal },
): Promise<RawResponse> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const texts = textsToEmbed(request.prompt);
  const estimated = estimatedTokens(texts.join(''));
  const context = currentAttempt();
  if (context !== undefined) context.inputTokens = estimated;
  const result = await embedMany({ model, values: texts, maxRetries: 0, abortSignal: signal });
  const warnings = result.warnings.map((warning) => ('message' in warning ? warning.message : warning.feature));
  const isReported = Number.isFinite(result.usage.tokens);
  if (!isReported)
    warnings.push('The provider did not report token usage. Hone estimated it from the length of the texts.');
  const input = isReported ? result.usage.tokens : estimated;
  return {
    text: vectorsText(result.embeddings),
    finishReason: 'stop',
    tokenUsage: { input, output: 0, total: input, cached: 0 },
    warnings,
  };
}

type Output = NonNullable<ModelRequest['output']>;

/** JSON schemas by their Zod schema, because most calls use one of a few schemas and each conversion is slow. */
const jsonSchemas = new WeakMap<Output['schema'], ReturnType<typeof asSchema>['jsonSchema']>();

function jsonSchemaOf(schema: Output['schema']): ReturnType<typeof asSchema>['jsonSchema'] {
  const known = jsonSchemas.get(schema) ?? asSchema(schema).jsonSchema;
  jsonSchemas.set(schema, known);
  return known;
}

/**
 * Requests JSON that matches a schema without parsing it, so that the raw text is always returned. `native` sends the schema as the
 * provider's own setting. `prompt` adds it to the instructions, for servers without such a setting.
 */
function structuredRequest(output: Output, way: 'native' | 'prompt'): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async transformParams({ params }) {
      const schema = { ...(output.jsonSchema ?? (await jsonSchemaOf(output.schema))) };
      switch (way) {
        case 'native':
          return { ...params, responseFormat: { type: 'json', name: output.name, schema } };
        case 'prompt':
          return { ...params, prompt: injectJsonInstructionIntoMessages({ messages: params.prompt, schema }) };
      }
    },
  };
}
