import { generateText, type LanguageModelUsage, streamText, wrapLanguageModel } from 'ai';
import type { TokenUsage } from '#lib/reflection/history.ts';
import type { ReachableModel } from './language-model.ts';
import type { ModelRequest } from './model-caller.ts';
import { structuredRequest } from './structured-request.ts';

/** One reply as it came. `cached` are the input tokens the provider read from its cache. */
export type RawReply = {
  text: string;
  finishReason: string;
  tokenUsage: TokenUsage & { cached: number };
  warnings: string[];
};

/**
 * One try at one question. With `onText` the reply is streamed. Throws what the AI SDK throws; never retries.
 */
export async function askOnce(
  target: Extract<ReachableModel, { ok: true }>,
  request: ModelRequest,
  options: { signal: AbortSignal; onText: ((piece: string) => void) | null },
): Promise<RawReply> {
  // Warnings are kept with the reply; the SDK would print them too.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const call = {
    model:
      request.output === null
        ? target.model
        : wrapLanguageModel({ model: target.model, middleware: structuredRequest(request.output, target.structured) }),
    ...(request.instructions.trim() !== '' && { instructions: request.instructions }),
    prompt: request.prompt,
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(request.maxOutputTokens !== null && { maxOutputTokens: request.maxOutputTokens }),
    maxRetries: 0,
    abortSignal: options.signal,
    ...(target.providerOptions && { providerOptions: target.providerOptions }),
  };
  return options.onText === null ? generate(call) : stream(call, options.onText);
}

type Call = Parameters<typeof generateText>[0] & { prompt: string };

async function generate(call: Call): Promise<RawReply> {
  const result = await generateText(call);
  return rawReply(call, result.text, result.finishReason, result.usage, result.warnings ?? []);
}

async function stream(call: Call, onText: (piece: string) => void): Promise<RawReply> {
  const result = streamText({ ...call, onError: () => {} });
  const pieces: string[] = [];
  const warnings: Warning[] = [];
  for await (const part of result.stream) {
    switch (part.type) {
      case 'start-step':
        warnings.push(...part.warnings);
        break;
      case 'text-delta':
        pieces.push(part.text);
        onText(part.text);
        break;
      case 'error':
        throw part.error;
      case 'abort':
        throw new DOMException('The call was aborted.', 'AbortError');
      case 'finish':
        return rawReply(call, pieces.join(''), part.finishReason, part.totalUsage, warnings);
    }
  }
  throw new StreamCutError();
}

/** A stream that ended before the reply was complete. */
export class StreamCutError extends Error {
  constructor() {
    super('the reply broke off before its end');
    this.name = 'StreamCutError';
  }
}

type Warning = NonNullable<Awaited<ReturnType<typeof generateText>>['warnings']>[number];

function rawReply(
  call: Call,
  text: string,
  finishReason: string,
  usage: LanguageModelUsage,
  sdkWarnings: Warning[],
): RawReply {
  const warnings = sdkWarnings.map(warningText);
  const storable = text.replaceAll('\u0000', '\ufffd').toWellFormed();
  if (storable !== text) warnings.push('Characters that cannot be stored were replaced by U+FFFD.');
  if (usage.inputTokens === undefined || usage.outputTokens === undefined) {
    warnings.push('The provider did not report token usage; it was estimated from the length of the texts.');
  }
  const input = usage.inputTokens ?? Math.ceil(((call.prompt ?? '').length + instructionsLength(call)) / 4);
  const output = usage.outputTokens ?? Math.ceil(text.length / 4);
  const cached = usage.inputTokenDetails.cacheReadTokens ?? 0;
  return { text: storable, finishReason, tokenUsage: { input, output, total: input + output, cached }, warnings };
}

function instructionsLength(call: Call): number {
  return typeof call.instructions === 'string' ? call.instructions.length : 0;
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
