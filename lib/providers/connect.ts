import { type AnthropicProvider, createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle, type GoogleProvider } from '@ai-sdk/google';
import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { createOpenAICompatible, type OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';
import type { ModelFailureKind } from './call/model-caller.ts';
import { baseUrlOf, type ProviderConfiguration, type ProviderKind } from './provider-configuration.ts';

/** Why a provider cannot even be asked, and what to do. */
export type Unreachable = { ok: false; kind: ModelFailureKind; message: string; remedy: string };

/** The AI SDK's own provider behind a configuration, by its kind. */
export type Connection =
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
