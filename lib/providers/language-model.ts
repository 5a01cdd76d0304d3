import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';
import { isRecord } from '#lib/core/is-record.ts';
import { parseJson } from '#lib/core/json-values.ts';
import type { TextRole } from '#lib/core/model-request.ts';
import type { ModelFailureKind } from '#lib/providers/call/model-caller.ts';
import { createPracticeEmbedding, createPracticeModel } from '#lib/providers/practice/practice-model.ts';
import { accessTokens, readServiceAccount, type ServiceAccount } from './google-token.ts';
import { baseUrlOf, type ProviderConfiguration, usesChatApi } from './provider-configuration.ts';
import {
  PROVIDER_DEFINITIONS,
  type ProviderDefinition,
  type ProviderKind,
  type ProviderOptions,
  type StoredKind,
} from './provider-kinds.ts';

/** Reason why a provider cannot be called, and the remedy. */
export type Unreachable = { ok: false; kind: ModelFailureKind; message: string; remedy: string };

/** `structured` is `native` if the provider accepts a JSON schema. Otherwise the schema must be in the prompt. */
export type ReachableModel =
  | {
      ok: true;
      model: LanguageModelV4;
      structured: ProviderDefinition['structuredOutput'];
      /** Name of the AI SDK's provider in provider options. */
      optionsKey: string;
      /** Options sent with every call. */
      providerOptions?: { store: boolean };
    }
  | Unreachable;

type ReachableEmbedding = { ok: true; model: EmbeddingModelV4 } | Unreachable;

/** Connection to a provider's server. `isChat` is true for the older chat API. */
type Access = {
  baseURL: string;
  apiKey: string;
  authHeaders: Record<string, string>;
  headers: Record<string, string>;
  options: ProviderOptions;
  isChat: boolean;
  fetch: typeof globalThis.fetch;
};

type Made<Model> = Model | Promise<Model>;

/** Factory of an AI SDK provider's models. Creating a model sends no request. Rarely used packages are loaded with their first model. */
type Sdk = {
  languageModel: (access: Access, modelId: string) => Made<LanguageModelV4>;
  embeddingModel?: (access: Access, modelId: string) => Made<EmbeddingModelV4>;
};

const SDKS: Record<StoredKind, Sdk> = {
  openai: {
    languageModel: (access, modelId) =>
      access.isChat ? openai(access).chat(modelId) : openai(access).responses(modelId),
    embeddingModel: (access, modelId) => openai(access).embeddingModel(modelId),
  },
  anthropic: {
    languageModel: ({ baseURL, apiKey, headers, fetch }, modelId) =>
      createAnthropic({ baseURL, apiKey, headers, fetch })(modelId),
  },
  google: {
    languageModel: (access, modelId) => google(access)(modelId),
    embeddingModel: (access, modelId) => google(access).embeddingModel(modelId),
  },
  azure: {
    languageModel: async (access, modelId) =>
      access.isChat ? (await azure(access)).chat(modelId) : (await azure(access)).responses(modelId),
    embeddingModel: async (access, modelId) => (await azure(access)).embeddingModel(modelId),
  },
  'amazon-bedrock': {
    languageModel: async (access, modelId) => (await bedrock(access))(modelId),
    embeddingModel: async (access, modelId) => (await bedrock(access)).embeddingModel(modelId),
  },
  'google-vertex': {
    languageModel: async (access, modelId) =>
      isClaude(modelId) ? (await vertexClaude(access))(modelId) : (await vertex(access))(modelId),
    embeddingModel: async (access, modelId) => (await vertex(access)).embeddingModel(modelId),
  },
  'openai-compatible': {
    languageModel: (access, modelId) => openaiCompatible(access).chatModel(modelId),
    embeddingModel: (access, modelId) => openaiCompatible(access).embeddingModel(modelId),
  },
};

/** Names of the AI SDK's providers in provider options. */
const OPTIONS_KEYS: Record<Exclude<ProviderKind, 'target'>, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  azure: 'openai',
  'amazon-bedrock': 'amazonBedrock',
  'google-vertex': 'google',
  'openai-compatible': 'openaiCompatible',
  practice: 'practice',
};

const openai = ({ baseURL, apiKey, headers, fetch }: Access) => createOpenAI({ baseURL, apiKey, headers, fetch });

const google = ({ baseURL, apiKey, headers, fetch }: Access) => createGoogle({ baseURL, apiKey, headers, fetch });

async function azure({ baseURL, apiKey, headers, options: { apiVersion = 'v1' }, fetch }: Access) {
  const { createAzure } = await import('@ai-sdk/azure');
  // Dated API versions support only deployment URLs.
  const useDeploymentBasedUrls = /^\d{4}-/.test(apiVersion);
  return createAzure({ baseURL, apiKey, apiVersion, useDeploymentBasedUrls, headers, fetch });
}

async function bedrock({ baseURL, apiKey, headers, options: { region, accessKeyId }, fetch }: Access) {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
  // An empty key prevents the SDK from reading one from the environment.
  const credentials = accessKeyId === undefined ? { apiKey } : { apiKey: '', accessKeyId, secretAccessKey: apiKey };
  return createAmazonBedrock({ baseURL, ...(region !== undefined && { region }), ...credentials, headers, fetch });
}

async function vertex({ baseURL, apiKey, headers, fetch }: Access) {
  // The package's main entry would load a library that requests tokens with its own `fetch`.
  const { createGoogleVertex } = await import('@ai-sdk/google-vertex/edge');
  const account = readServiceAccount(apiKey);
  if (account === null) return createGoogleVertex({ baseURL, apiKey, headers, fetch });
  return createGoogleVertex({ baseURL, apiKey: NO_API_KEY, headers, fetch: withToken(fetch, account) });
}

/** Claude models on Vertex AI use a different API and need a service account. */
async function vertexClaude({ baseURL, apiKey, headers, fetch }: Access) {
  const { createGoogleVertexAnthropic } = await import('@ai-sdk/google-vertex/anthropic/edge');
  const account = readServiceAccount(apiKey);
  return createGoogleVertexAnthropic({
    baseURL: `${baseURL.replace('/v1beta1/', '/v1/').replace(/\/publishers\/google$/, '')}/publishers/anthropic/models`,
    generateAuthToken: async () => NO_API_KEY,
    headers,
    fetch: account === null ? fetch : withToken(fetch, account),
  });
}

function isClaude(modelId: string): boolean {
  return modelId.startsWith('claude-');
}

/** Placeholder for the key if a token is used. Without a key, the SDK would request a token. */
const NO_API_KEY = 'none';

/** Wraps `fetch` to send the access token of a service account instead of an API key. */
function withToken(fetch: typeof globalThis.fetch, account: ServiceAccount): typeof globalThis.fetch {
  const tokenOf = accessTokens(account, fetch);
  return async (address, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('x-goog-api-key');
    headers.set('authorization', `Bearer ${await tokenOf()}`);
    return fetch(address, { ...init, headers });
  };
}

const openaiCompatible = ({ baseURL, authHeaders, headers, options: { query }, fetch }: Access) =>
  createOpenAICompatible({
    // Not the provider's name in Hone, which the SDK would use as the name in provider options.
    name: 'openai-compatible',
    baseURL,
    fetch,
    includeUsage: true,
    headers: { ...headers, ...authHeaders },
    ...(query !== undefined && { queryParams: Object.fromEntries(new URLSearchParams(query)) }),
  });

/**
 * Creates the AI SDK model of a configured provider. Only the practice model uses `role`, to determine the request's purpose, and
 * `practicePaceMs`, its delay between streamed words. All others are called with `fetch`.
 */
export async function languageModel(
  configuration: ProviderConfiguration,
  modelId: string,
  options: { role: TextRole; practicePaceMs: number; fetch: typeof fetch },
): Promise<ReachableModel> {
  const { kind } = configuration;
  if (kind === 'target') return noModel(configuration);
  const { structuredOutput: structured } = PROVIDER_DEFINITIONS[kind];
  const optionsKey = OPTIONS_KEYS[kind];
  if (kind === 'practice')
    return { ok: true, structured, optionsKey, model: createPracticeModel(options.role, options.practicePaceMs) };
  const reached = accessTo(configuration, options.fetch);
  if (!reached.ok) return reached;
  const isVertexClaude = kind === 'google-vertex' && isClaude(modelId);
  if (isVertexClaude && readServiceAccount(reached.access.apiKey) === null)
    return {
      ok: false,
      kind: 'bad_request',
      message: `"${modelId}" on Vertex AI needs the JSON key of a service account.`,
      remedy: `Enter such a key and the project ID for the provider "${configuration.name}" on the Models page.`,
    };
  const model = await SDKS[kind].languageModel(reached.access, modelId);
  const isResponses = optionsKey === 'openai' && !reached.access.isChat;
  const key = isVertexClaude ? OPTIONS_KEYS.anthropic : optionsKey;
  return { ok: true, structured, model, optionsKey: key, ...(isResponses && { providerOptions: { store: false } }) };
}

/** Returns an AI SDK model given by the caller, treated as one of its provider's kind. */
export function givenModel({ kind }: ProviderConfiguration, model: LanguageModelV4): ReachableModel {
  const { structuredOutput: structured } = PROVIDER_DEFINITIONS[kind];
  return { ok: true, structured, optionsKey: kind === 'target' ? '' : OPTIONS_KEYS[kind], model };
}

/** Creates the AI SDK embedding model of a configured provider, called with `fetch`. */
export async function embeddingModel(
  configuration: ProviderConfiguration,
  modelId: string,
  fetch: typeof globalThis.fetch,
): Promise<ReachableEmbedding> {
  const { kind } = configuration;
  if (kind === 'practice') return { ok: true, model: createPracticeEmbedding(modelId) };
  if (kind === 'target') return noModel(configuration);
  const reached = accessTo(configuration, fetch);
  if (!reached.ok) return reached;
  const { hasEmbeddings } = PROVIDER_DEFINITIONS[kind];
  const model = hasEmbeddings ? await SDKS[kind].embeddingModel?.(reached.access, modelId) : undefined;
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

/** Returns the connection to a provider's server, or the problem if its URL or key is missing. */
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
  const isChat = usesChatApi(configuration);
  const { options = {}, headers = {} } = configuration;
  const authHeaders = authHeadersOf(configuration);
  const reach = { options, isChat, fetch: isChat ? acceptWholeAnswers(fetch) : fetch };
  return { ok: true, access: { baseURL, apiKey, authHeaders, headers: { ...headers }, ...reach } };
}

/** Returns the headers with a provider's key, or none if it has no key. */
export function authHeadersOf({ kind, apiKey }: ProviderConfiguration): Record<string, string> {
  const key = apiKey?.trim() ?? '';
  return key === '' ? {} : PROVIDER_DEFINITIONS[kind].authHeaders(key);
}

/**
 * Wraps `fetch` for servers of the older chat API that ignore `stream: true` and answer with a whole completion. The completion becomes
 * a stream of one chunk. Otherwise a paid response would count as cut off, and be requested again.
 */
function acceptWholeAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init) => {
    const response = await fetch(address, init);
    const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
    if (!response.ok || !isJson || !requestsStream(init?.body)) return response;
    const text = await response.text();
    const chunk = chunkOf(text);
    if (chunk === null) return new Response(text, response);
    const headers = new Headers(response.headers);
    headers.set('content-type', 'text/event-stream');
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { status: response.status, headers });
  };
}

/** Quotes within texts are escaped in JSON, so only the setting itself matches. */
function requestsStream(body: unknown): boolean {
  return typeof body === 'string' && /"stream":\s*true/.test(body);
}

/** Returns the body of a response as a chunk of a stream: a completion converted, an error as it is. Null for any other body. */
function chunkOf(text: string): unknown {
  const body = parseJson(text);
  if (!isRecord(body)) return null;
  if (!Array.isArray(body.choices)) return 'error' in body ? body : null;
  const choices = body.choices.map((choice: unknown) => {
    if (!isRecord(choice) || !isRecord(choice.message)) return choice;
    const { message, ...rest } = choice;
    return { ...rest, delta: { ...message, ...indexedCalls(message.tool_calls) } };
  });
  return { ...body, object: 'chat.completion.chunk', choices };
}

/** Only the tool calls of a stream have an index. */
function indexedCalls(calls: unknown): { tool_calls?: unknown[] } {
  if (!Array.isArray(calls)) return {};
  return { tool_calls: calls.map((call: unknown, index) => (isRecord(call) ? { index, ...call } : call)) };
}
