import { setTimeout as delay } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { convertAsyncIteratorToReadableStream } from '@ai-sdk/provider-utils';
import type { TextRole } from '#lib/reflection/model-request.ts';
import { answer } from './answer.ts';
import { PRACTICE_MODEL, PRACTICE_PROVIDER } from './practice-provider.ts';

/**
 * A model without a network: the same prompt always gets the same answer. It is told its role, as it can't guess it. Streamed
 * answers come word by word, `paceMs` apart (judging and critique, which nobody reads as they come, a quarter of that); others at once. A token is four characters.
 */
export function createPracticeModel(role: TextRole, paceMs: number): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: PRACTICE_PROVIDER.name,
    modelId: PRACTICE_MODEL,
    supportedUrls: {},
    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const { text, usage, finishReason } = replyTo(role, options);
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
    },
    async doStream(options) {
      return { stream: convertAsyncIteratorToReadableStream(parts(role, options, paceMs)) };
    },
  };
}

async function* parts(
  role: TextRole,
  options: LanguageModelV4CallOptions,
  paceMs: number,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { text, usage, finishReason } = replyTo(role, options);
  const wordMs = role === 'generate' || role === 'revise' || role === 'try' ? paceMs : paceMs / 4;
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: '0' };
  for (const delta of text.match(/\s*\S+\s*/g) ?? [text]) {
    await delay(wordMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
    yield { type: 'text-delta', id: '0', delta };
  }
  yield { type: 'text-end', id: '0' };
  yield { type: 'finish', usage, finishReason };
}

function replyTo(
  role: TextRole,
  options: LanguageModelV4CallOptions,
): { text: string; usage: LanguageModelV4Usage; finishReason: LanguageModelV4FinishReason } {
  const whole = answer(role, textOf(options.prompt, 'user'), options.responseFormat?.type === 'json');
  const longest = (options.maxOutputTokens ?? Number.POSITIVE_INFINITY) * CHARACTERS_A_TOKEN;
  const text = whole.slice(0, longest);
  const asked = textOf(options.prompt, 'system').length + textOf(options.prompt, 'user').length;
  return {
    text,
    finishReason: { unified: text.length < whole.length ? 'length' : 'stop', raw: undefined },
    usage: usageOf(Math.ceil(asked / CHARACTERS_A_TOKEN), Math.ceil(text.length / CHARACTERS_A_TOKEN)),
  };
}

const CHARACTERS_A_TOKEN = 4;

function textOf(prompt: LanguageModelV4Prompt, role: 'system' | 'user'): string {
  return prompt
    .flatMap((message) => {
      if (message.role !== role) return [];
      if (message.role === 'system') return [message.content];
      return message.role === 'user'
        ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        : [];
    })
    .join('\n');
}

function usageOf(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}
