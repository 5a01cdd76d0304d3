import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';
import type { TextRole } from '#lib/core/model-request.ts';
import type { ModelFailureKind } from '#lib/providers/call/model-caller.ts';
import { createPracticeEmbedding } from '#lib/providers/practice/practice-embedding.ts';
import { createPracticeModel } from '#lib/providers/practice/practice-model.ts';
import { baseUrlOf, type ProviderConfiguration, speaksChat } from './provider-configuration.ts';
import { PROVIDER_DEFINITIONS, type ProviderDefinition } from './provider-kinds.ts';

/** Why a provider cannot even be asked, and what to do. */
export type Unreachable = { ok: false; kind: ModelFailureKind; message: string; remedy: string };

/** `structured`: whether a JSON schema goes to the provider as such (`native`) or must stand in the prompt. */
export type ReachableModel =
  | {
      ok: true;
      model: LanguageModelV4;
      structured: ProviderDefinition['structuredOutput'];
      /** The name by which the AI SDK's provider knows options that are meant for it. */
      optionsKey: string;
      /** Options that every call sends. */
      providerOptions?: { store: boolean };
    }
  | Unreachable;

type ReachableEmbedding = { ok: true; model: EmbeddingModelV4 } | Unreachable;

/** How to reach a provider's server. `isChat`: by the older chat call. */
type Access = {
  baseURL: string;
  apiKey: string;
  authHeaders: Record<string, string>;
  isChat: boolean;
  fetch: typeof globalThis.fetch;
};

/** How the AI SDK's provider of a name makes models; they ask nothing yet. */
type Sdk = {
  languageModel: (access: Access, modelId: string) => LanguageModelV4;
  embeddingModel?: (access: Access, modelId: string) => EmbeddingModelV4;
};

const SDKS: Record<Exclude<ProviderDefinition['sdk'], 'practice' | 'target'>, Sdk> = {
  openai: {
    languageModel: ({ isChat, ...access }, modelId) =>
      isChat ? openai(access).chat(modelId) : openai(access).responses(modelId),
    embeddingModel: (access, modelId) => openai(access).embeddingModel(modelId),
  },
  anthropic: {
    languageModel: ({ baseURL, apiKey, fetch }, modelId) => createAnthropic({ baseURL, apiKey, fetch })(modelId),
  },
  google: {
    languageModel: ({ baseURL, apiKey, fetch }, modelId) => createGoogle({ baseURL, apiKey, fetch })(modelId),
    embeddingModel: ({ baseURL, apiKey, fetch }, modelId) =>
      createGoogle({ baseURL, apiKey, fetch }).embeddingModel(modelId),
  },
  'openai-compatible': {
    languageModel: (access, modelId) => openaiCompatible(access).chatModel(modelId),
    embeddingModel: (access, modelId) => openaiCompatible(access).embeddingModel(modelId),
  },
};

/** The names by which the AI SDK's providers know the options that are meant for them. */
const OPTIONS_KEYS: Record<Exclude<ProviderDefinition['sdk'], 'target'>, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  'openai-compatible': 'openaiCompatible',
  practice: 'practice',
};

const openai = ({ baseURL, apiKey, fetch }: Omit<Access, 'isChat'>) => createOpenAI({ baseURL, apiKey, fetch });

const openaiCompatible = ({ baseURL, authHeaders, fetch }: Access) =>
  createOpenAICompatible({
    // Not the person's own name for it: the SDK reads options meant for others by this name.
    name: 'openai-compatible',
    baseURL,
    fetch,
    includeUsage: true,
    headers: authHeaders,
  });

/**
 * The AI SDK model of a configured provider. `role` matters to the practice model only, which must know what it is asked for;
 * `practicePaceMs` is its pause between streamed words; all others are asked by `fetch`.
 */
export function languageModel(
  configuration: ProviderConfiguration,
  modelId: string,
  options: { role: TextRole; practicePaceMs: number; fetch: typeof fetch },
): ReachableModel {
  const { sdk, structuredOutput: structured } = PROVIDER_DEFINITIONS[configuration.kind];
  if (sdk === 'target') return noModel(configuration);
  const optionsKey = OPTIONS_KEYS[sdk];
  if (sdk === 'practice')
    return { ok: true, structured, optionsKey, model: createPracticeModel(options.role, options.practicePaceMs) };
  const reached = accessTo(configuration, options.fetch);
  if (!reached.ok) return reached;
  const model = SDKS[sdk].languageModel(reached.access, modelId);
  const isResponses = sdk === 'openai' && !reached.access.isChat;
  return { ok: true, structured, model, optionsKey, ...(isResponses && { providerOptions: { store: false } }) };
}

/** The AI SDK embedding model of a configured provider, asked by `fetch`. */
export function embeddingModel(
  configuration: ProviderConfiguration,
  modelId: string,
  fetch: typeof globalThis.fetch,
): ReachableEmbedding {
  const { sdk, hasEmbeddings } = PROVIDER_DEFINITIONS[configuration.kind];
  if (sdk === 'practice') return { ok: true, model: createPracticeEmbedding(modelId) };
  if (sdk === 'target') return noModel(configuration);
  const reached = accessTo(configuration, fetch);
  if (!reached.ok) return reached;
  const model = hasEmbeddings ? SDKS[sdk].embeddingModel?.(reached.access, modelId) : undefined;
  if (model !== undefined) return { ok: true, model };
  return {
    ok: false,
    kind: 'bad_request',
    message: `The provider "${configuration.name}" has no embedding models.`,
    remedy: 'Choose a model of another provider under embeddingModel.',
  };
}

function noModel({ name }: ProviderConfiguration): Unreachable {
  return {
    ok: false,
    kind: 'bad_request',
    message: `"${name}" is a target and has no models.`,
    remedy: 'Choose a provider from the Models page.',
  };
}

/** How to reach a provider's server; says why not where its address or its key is missing. */
function accessTo(
  configuration: ProviderConfiguration,
  fetch: typeof globalThis.fetch,
): { ok: true; access: Access } | Unreachable {
  const { name } = configuration;
  const { needsKey, keyVariable } = PROVIDER_DEFINITIONS[configuration.kind];
  const baseURL = baseUrlOf(configuration);
  if (baseURL === null || !/^https?:$/.test(URL.canParse(baseURL) ? new URL(baseURL).protocol : '')) {
    return {
      ok: false,
      kind: 'bad_request',
      message: `The provider "${name}" has no usable base URL.`,
      remedy: 'Enter one on the Models page, such as http://127.0.0.1:11434/v1.',
    };
  }
  const apiKey = configuration.apiKey?.trim() ?? '';
  if (needsKey && apiKey === '') {
    const orElse = keyVariable === null ? '.' : `, or set ${keyVariable} and start Hone again.`;
    return {
      ok: false,
      kind: 'no_key',
      message: `The provider "${name}" has no API key.`,
      remedy: `Enter its key on the Models page${orElse}`,
    };
  }
  const isChat = speaksChat(configuration);
  return { ok: true, access: { baseURL, apiKey, authHeaders: authHeadersOf(configuration), isChat, fetch } };
}

/** The headers that carry a provider's key; none where it has none. */
export function authHeadersOf({ kind, apiKey }: ProviderConfiguration): Record<string, string> {
  const key = apiKey?.trim() ?? '';
  return key === '' ? {} : PROVIDER_DEFINITIONS[kind].authHeaders(key);
}
