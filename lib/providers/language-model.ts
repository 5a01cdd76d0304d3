import { type AnthropicProvider, createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle, type GoogleProvider } from '@ai-sdk/google';
import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';
import type { TextRole } from '#lib/core/model-request.ts';
import type { ModelFailureKind } from '#lib/providers/call/model-caller.ts';
import { createPracticeEmbedding } from '#lib/providers/practice/practice-embedding.ts';
import { createPracticeModel } from '#lib/providers/practice/practice-model.ts';
import { baseUrlOf, type ProviderConfiguration, type ProviderKind } from './provider-configuration.ts';

/** Why a provider cannot even be asked, and what to do. */
export type Unreachable = { ok: false; kind: ModelFailureKind; message: string; remedy: string };

/** The AI SDK's own provider behind a configuration, by its kind. */
type Connection =
  | { kind: 'openai'; provider: OpenAIProvider }
  | { kind: 'anthropic'; provider: AnthropicProvider }
  | { kind: 'google'; provider: GoogleProvider }
  | { kind: 'openai-compatible'; provider: OpenAICompatibleProvider };

/** Makes the AI SDK's provider for a configuration, which asks by `fetch`; says why not where its address or its key is missing. It asks nothing yet. */
export function connect(
  configuration: ProviderConfiguration,
  kind: Exclude<ProviderKind, 'practice'>,
  fetch: typeof globalThis.fetch,
): { ok: true; connection: Connection } | Unreachable {
  const { name } = configuration;
  const baseURL = baseUrlOf(configuration);
  if (baseURL === null || !/^https?:$/.test(URL.canParse(baseURL) ? new URL(baseURL).protocol : '')) {
    return {
      ok: false,
      kind: 'bad_request',
      message: `The provider "${name}" has no usable base URL.`,
      remedy: 'Enter one on the Models page, such as http://127.0.0.1:11434/v1.',
    };
  }
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
    return { ok: true, connection: { kind, provider } };
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
    case 'openai':
      return { ok: true, connection: { kind, provider: createOpenAI(settings) } };
    case 'anthropic':
      return { ok: true, connection: { kind, provider: createAnthropic(settings) } };
    case 'google':
      return { ok: true, connection: { kind, provider: createGoogle(settings) } };
  }
}

const KEY_VARIABLES: Record<Exclude<ProviderKind, 'openai-compatible' | 'practice'>, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
};

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

type ReachableEmbedding = { ok: true; model: EmbeddingModelV4 } | Unreachable;

/** The AI SDK embedding model of a configured provider, asked by `fetch`. */
export function embeddingModel(
  configuration: ProviderConfiguration,
  modelId: string,
  fetch: typeof globalThis.fetch,
): ReachableEmbedding {
  if (configuration.kind === 'practice') return { ok: true, model: createPracticeEmbedding(modelId) };
  const connected = connect(configuration, configuration.kind, fetch);
  if (!connected.ok) return connected;
  const { kind, provider } = connected.connection;
  switch (kind) {
    case 'openai':
    case 'google':
    case 'openai-compatible':
      return { ok: true, model: provider.embeddingModel(modelId) };
    case 'anthropic':
      return {
        ok: false,
        kind: 'bad_request',
        message: `The provider "${configuration.name}" has no embedding models.`,
        remedy: 'Choose a model of another provider under embeddingModel.',
      };
  }
}
