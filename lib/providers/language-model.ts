import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { TextRole } from '#lib/core/model-request.ts';
import { connect, type Unreachable } from './connect.ts';
import { createPracticeModel } from './practice/practice-model.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

/** `structured`: whether a JSON schema goes to the provider as such (`native`) or must stand in the prompt. */
export type ReachableModel =
  | {
      ok: true;
      model: LanguageModelV4;
      structured: 'native' | 'prompt';
      providerOptions?: { openai: { store: boolean } };
    }
  | Unreachable;

/**
 * The AI SDK model of a configured provider. `role` matters to the practice model only, which must know what it is asked for;
 * `practicePaceMs` is its pause between streamed words; all others are asked by `fetch`.
 */
export function languageModel(
  configuration: ProviderConfiguration,
  modelId: string,
  options: { role: TextRole; practicePaceMs: number; fetch: typeof fetch },
): ReachableModel {
  if (configuration.kind === 'practice') {
    return { ok: true, structured: 'native', model: createPracticeModel(options.role, options.practicePaceMs) };
  }
  const connected = connect(configuration, configuration.kind, options.fetch);
  if (!connected.ok) return connected;
  const { kind, provider } = connected.connection;
  switch (kind) {
    case 'openai-compatible':
      return { ok: true, structured: 'prompt', model: provider.chatModel(modelId) };
    case 'openai': {
      // Servers that only imitate OpenAI know the older chat call, not the newer responses call.
      if (configuration.baseUrl !== null) return { ok: true, structured: 'native', model: provider.chat(modelId) };
      const providerOptions = { openai: { store: false } };
      return { ok: true, structured: 'native', model: provider.responses(modelId), providerOptions };
    }
    case 'anthropic':
    case 'google':
      return { ok: true, structured: 'native', model: provider(modelId) };
  }
}
