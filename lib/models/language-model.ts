import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelRole } from '#lib/reflection/settings.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { ModelFailureKind } from './model-caller.ts';
import { createPracticeModel } from './practice/practice-model.ts';
import { baseUrlOf, type ProviderConfiguration, type ProviderKind } from './provider-configuration.ts';

/** `structured`: whether a JSON schema goes to the provider as such (`native`) or must stand in the prompt. */
export type ReachableModel =
  | {
      ok: true;
      model: LanguageModelV4;
      structured: 'native' | 'prompt';
      providerOptions?: { openai: { store: boolean } };
    }
  | { ok: false; kind: ModelFailureKind; message: string; remedy: string };

const MAX_REPLY_BYTES = 64_000_000;

/**
 * The AI SDK model of a configured provider. `role` matters to the practice model only, which must know what it is asked for;
 * `practicePaceMs` is its pause between streamed words.
 */
export function languageModel(
  configuration: ProviderConfiguration,
  modelId: string,
  options: { role: ModelRole; practicePaceMs: number },
): ReachableModel {
  const { kind, name } = configuration;
  if (kind === 'practice') {
    return { ok: true, structured: 'native', model: createPracticeModel(options.role, options.practicePaceMs) };
  }
  const baseURL = baseUrlOf(configuration);
  if (baseURL === null || !/^https?:$/.test(URL.canParse(baseURL) ? new URL(baseURL).protocol : '')) {
    return {
      ok: false,
      kind: 'bad_request',
      message: `The provider "${name}" has no usable base URL.`,
      remedy: 'Enter one on the Models page, such as http://127.0.0.1:11434/v1.',
    };
  }
  const fetch = boundedFetch(MAX_REPLY_BYTES);
  const apiKey = configuration.apiKey?.trim() || null;
  if (kind === 'openai-compatible') {
    const provider = createOpenAICompatible({
      // Not the person's own name for it: the SDK reads options meant for others by this name.
      name: 'openai-compatible',
      baseURL,
      fetch,
      includeUsage: true,
      ...(apiKey && { apiKey }),
    });
    return { ok: true, structured: 'prompt', model: provider.chatModel(modelId) };
  }
  if (apiKey === null) {
    return {
      ok: false,
      kind: 'no_key',
      message: `The provider "${name}" has no API key.`,
      remedy: `Enter its key on the Models page, or set ${KEY_VARIABLES[kind]} and start Hone again.`,
    };
  }
  const settings = { apiKey, baseURL, fetch };
  switch (kind) {
    case 'openai': {
      // Servers that only imitate OpenAI know the older chat call, not the newer responses call.
      const provider = createOpenAI(settings);
      if (configuration.baseUrl !== null) return { ok: true, structured: 'native', model: provider.chat(modelId) };
      const providerOptions = { openai: { store: false } };
      return { ok: true, structured: 'native', model: provider.responses(modelId), providerOptions };
    }
    case 'anthropic':
      return { ok: true, structured: 'native', model: createAnthropic(settings)(modelId) };
    case 'google':
      return { ok: true, structured: 'native', model: createGoogle(settings)(modelId) };
  }
}

const KEY_VARIABLES: Record<Exclude<ProviderKind, 'openai-compatible' | 'practice'>, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
};
