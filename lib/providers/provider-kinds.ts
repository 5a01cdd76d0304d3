import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';

/** All kinds of providers, in the order of forms and messages. */
export const PROVIDER_KINDS = [
  'openai',
  'anthropic',
  'google',
  'azure',
  'amazon-bedrock',
  'google-vertex',
  'openai-compatible',
  'practice',
  'target',
] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Kinds of model providers that people can add. The practice provider is built in. */
export const STORED_KINDS = PROVIDER_KINDS.filter((kind) => kind !== 'practice' && kind !== 'target');
export type StoredKind = (typeof STORED_KINDS)[number];

/** Keys from the environment, by provider kind. */
export type EnvironmentKeys = Partial<Record<StoredKind, string>>;

/** Options of a provider, by name. None of them is secret. */
export const PROVIDER_OPTIONS = [
  'resourceName',
  'apiVersion',
  'region',
  'accessKeyId',
  'project',
  'location',
  'api',
  'query',
] as const;
export type ProviderOption = (typeof PROVIDER_OPTIONS)[number];
export type ProviderOptions = Partial<Record<ProviderOption, string>>;

/** Option of a provider, with its form field and validation. */
type ProviderField = {
  label: string;
  help: string;
  pattern: RegExp;
  /** Description of valid values for the error message. */
  mustBe: string;
  isNeeded?: boolean;
  /** Valid values with their labels. Without choices, the value is typed. */
  choices?: Readonly<Record<string, string>>;
};

/** Price of a model, in US dollars per million tokens. */
export type ModelPrices = { inputPerMillionUsd: number; outputPerMillionUsd: number };

/** Predefined well-known provider. `baseUrl` null means the kind's default URL. */
type Preset = { name: string; label: string; where: 'hosted' | 'local'; baseUrl: string | null };

/** Definition of a provider kind. It imports no server packages because forms use it too. */
export type ProviderDefinition = {
  label: string;
  /** Default base URL. If null, each provider of this kind needs a base URL or the options of `baseUrlFrom`. */
  baseUrl: string | null;
  /** Returns the base URL derived from the options, or null if one of them is missing. */
  baseUrlFrom?: (options: ProviderOptions) => string | null;
  /** Form fields of the options, in form order. */
  fields?: Partial<Record<ProviderOption, ProviderField>>;
  /** Description of its key, if it is more than an API key. */
  keyHelp?: string;
  /** True if it cannot be called without a key. */
  needsKey: boolean;
  /** Environment variable with the key for its default base URL. */
  keyVariable: string | null;
  /** Headers with the key. For hosted kinds, the AI SDK sends them except for the model list. */
  authHeaders: (key: string) => Record<string, string>;
  /**
   * Source of its models: a fixed list, the query for a complete model list, or a description of the models to enter in addition to those
   * its cloud lists.
   */
  models: { fixed: readonly string[] } | { query: string } | { entered: string };
  hasEmbeddings: boolean;
  /** Embedding models that are offered. Any other can be entered. */
  embeddingModels: readonly string[];
  /** Everyday models: the first listed match is the default. If null, the default is the first listed text model. */
  usualModels: RegExp | null;
  /** `native` if the provider accepts a JSON schema. Otherwise the schema must be in the prompt. */
  structuredOutput: 'native' | 'prompt';
  /** Use of the older chat API, in which the token limit has two names. */
  chatCompletions: 'everywhere' | 'at_other_base_urls' | 'nowhere';
  /** True if each request must limit the output tokens. */
  needsOutputLimit: boolean;
  /** Lookup in the public price list: by the list's id for the provider, or by the base URL. */
  prices: { fixed: ModelPrices } | { listId: string } | 'by_base_url';
  /** Name in OpenTelemetry's conventions. Null means the provider's name in Hone. */
  traceName: string | null;
  presets: readonly Preset[];
};

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

const API_FIELD: ProviderField = {
  label: 'API',
  help: 'Some models only support the Responses API.',
  pattern: /^(chat|responses)$/,
  mustBe: 'chat or responses',
  choices: { chat: 'Chat Completions', responses: 'Responses' },
};

/** Returns the Vertex AI host of a location. */
function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'eu' || location === 'us'
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const hosted = (name: string, label: string, baseUrl: string): Preset => ({ name, label, where: 'hosted', baseUrl });

/** Creates the preset of a model server at its default port on this machine. */
const local = (name: string, label: string, port: number, path = '/v1'): Preset => ({
  name,
  label,
  where: 'local',
  baseUrl: `http://127.0.0.1:${port}${path}`,
});

const DEFAULTS = {
  ...{ baseUrl: null, keyVariable: null, traceName: null, presets: [] },
  ...{ hasEmbeddings: true, embeddingModels: [], usualModels: null },
  ...{ structuredOutput: 'native', chatCompletions: 'nowhere', needsOutputLimit: false },
} satisfies Partial<ProviderDefinition>;

type Differences = Omit<ProviderDefinition, keyof typeof DEFAULTS> & Partial<ProviderDefinition>;
const define = (differences: Differences): ProviderDefinition => ({ ...DEFAULTS, ...differences });

/**
 * Definitions of all kinds, where they differ from the defaults. Source of the presets: each provider's documentation of its
 * OpenAI-compatible URL.
 */
export const PROVIDER_DEFINITIONS: Record<ProviderKind, ProviderDefinition> = {
  openai: define({
    label: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    keyVariable: 'OPENAI_API_KEY',
    authHeaders: bearer,
    models: { query: '' },
    embeddingModels: ['text-embedding-3-small', 'text-embedding-3-large'],
    usualModels: /^gpt-[5-9](\.\d+)?-mini$/,
    // Servers that imitate OpenAI support only the older chat API, not the newer responses API.
    chatCompletions: 'at_other_base_urls',
    prices: { listId: 'openai' },
    traceName: 'openai',
    fields: { api: { ...API_FIELD, help: 'Default: Responses at OpenAI, Chat Completions at other base URLs.' } },
    presets: [{ name: 'openai', label: 'OpenAI', where: 'hosted', baseUrl: null }],
  }),
  anthropic: define({
    label: 'Anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
    keyVariable: 'ANTHROPIC_API_KEY',
    authHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    models: { query: '?limit=1000' },
    hasEmbeddings: false,
    usualModels: /^claude-.*sonnet/,
    needsOutputLimit: true,
    prices: { listId: 'anthropic' },
    traceName: 'anthropic',
    presets: [{ name: 'anthropic', label: 'Anthropic', where: 'hosted', baseUrl: null }],
  }),
  google: define({
    label: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: true,
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    authHeaders: (key) => ({ 'x-goog-api-key': key }),
    models: { query: '?pageSize=1000' },
    embeddingModels: ['gemini-embedding-001'],
    usualModels: /^gemini-[\d.]+-flash$/,
    prices: { listId: 'google' },
    traceName: 'gcp.gemini',
    presets: [{ name: 'google', label: 'Google Gemini', where: 'hosted', baseUrl: null }],
  }),
  azure: define({
    label: 'Azure OpenAI',
    baseUrlFrom: ({ resourceName }) =>
      resourceName === undefined ? null : `https://${resourceName}.openai.azure.com/openai`,
    needsKey: true,
    authHeaders: (key) => ({ 'api-key': key }),
    models: { entered: 'deployment' },
    chatCompletions: 'everywhere',
    prices: { listId: 'azure' },
    traceName: 'azure.ai.openai',
    fields: {
      resourceName: {
        label: 'Resource name',
        help: 'The part before .openai.azure.com. Leave empty if you enter a base URL.',
        pattern: LABEL,
        mustBe: 'the name of an Azure resource: letters, digits and hyphens',
      },
      apiVersion: {
        label: 'API version',
        help: 'Default: v1. A dated version, such as 2024-10-21, uses the URLs of deployments.',
        pattern: /^(v1|preview|\d{4}-\d{2}-\d{2}(-preview)?)$/,
        mustBe: 'v1, preview, or a date such as 2024-10-21',
      },
      api: { ...API_FIELD, help: 'Default: Chat Completions. Some models only support Responses.' },
    },
    presets: [{ name: 'azure', label: 'Azure OpenAI', where: 'hosted', baseUrl: null }],
  }),
  'amazon-bedrock': define({
    label: 'Amazon Bedrock',
    baseUrlFrom: ({ region }) => (region === undefined ? null : `https://bedrock-runtime.${region}.amazonaws.com`),
    needsKey: true,
    authHeaders: bearer,
    models: { entered: 'model ID' },
    embeddingModels: ['amazon.titan-embed-text-v2:0'],
    prices: { listId: 'aws' },
    traceName: 'aws.bedrock',
    keyHelp: 'The secret access key, or a Bedrock API key if you leave the access key ID empty.',
    fields: {
      region: {
        label: 'Region',
        help: 'For example us-east-1',
        pattern: LABEL,
        mustBe: 'an AWS region, such as us-east-1',
        isNeeded: true,
      },
      accessKeyId: {
        label: 'Access key ID',
        help: 'Leave empty to use a Bedrock API key.',
        pattern: /^\w{16,128}$/,
        mustBe: 'an AWS access key ID',
      },
    },
    presets: [{ name: 'bedrock', label: 'Amazon Bedrock', where: 'hosted', baseUrl: null }],
  }),
  'google-vertex': define({
    label: 'Google Vertex AI',
    baseUrlFrom: ({ project, location = 'global' }) =>
      project === undefined
        ? 'https://aiplatform.googleapis.com/v1/publishers/google'
        : `https://${vertexHost(location)}/v1beta1/projects/${project}/locations/${location}/publishers/google`,
    needsKey: true,
    authHeaders: (key) => ({ 'x-goog-api-key': key }),
    models: { entered: 'model ID' },
    embeddingModels: ['gemini-embedding-001'],
    prices: { listId: 'google-vertex' },
    traceName: 'gcp.vertex_ai',
    keyHelp: 'The JSON key of a service account, or an API key if you leave the project empty.',
    fields: {
      project: {
        label: 'Project ID',
        help: 'Leave empty to use an API key.',
        pattern: /^[a-z][a-z0-9:.-]{3,61}$/,
        mustBe: 'the ID of a Google Cloud project',
      },
      location: {
        label: 'Location',
        help: 'Default: global',
        pattern: LABEL,
        mustBe: 'a Google Cloud location, such as us-central1',
      },
    },
    presets: [{ name: 'vertex', label: 'Google Vertex AI', where: 'hosted', baseUrl: null }],
  }),
  'openai-compatible': define({
    label: 'OpenAI-compatible server',
    needsKey: false,
    authHeaders: bearer,
    models: { query: '' },
    structuredOutput: 'prompt',
    chatCompletions: 'everywhere',
    prices: 'by_base_url',
    fields: {
      query: {
        label: 'Query parameters',
        help: 'Added to every request, for example api-version=2024-10-21',
        pattern: /^[\w.~%-]+=[\w.~%:,+/-]*(&[\w.~%-]+=[\w.~%:,+/-]*)*$/,
        mustBe: 'name=value pairs joined by &',
      },
    },
    presets: [
      hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1'),
      hosted('groq', 'Groq', 'https://api.groq.com/openai/v1'),
      hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1'),
      hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1'),
      hosted('xai', 'xAI', 'https://api.x.ai/v1'),
      hosted('together', 'Together AI', 'https://api.together.xyz/v1'),
      hosted('fireworks', 'Fireworks AI', 'https://api.fireworks.ai/inference/v1'),
      hosted('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1'),
      hosted('moonshot', 'Moonshot AI', 'https://api.moonshot.ai/v1'),
      hosted('huggingface', 'Hugging Face', 'https://router.huggingface.co/v1'),
      local('ollama', 'Ollama', 11_434),
      local('lm-studio', 'LM Studio', 1_234),
      local('vllm', 'vLLM', 8_000),
      local('llama-cpp', 'llama.cpp', 8_080),
      local('jan', 'Jan', 1_337),
      local('sglang', 'SGLang', 30_000),
      local('docker', 'Docker Model Runner', 12_434, '/engines/v1'),
    ],
  }),
  practice: define({
    label: 'Practice',
    needsKey: false,
    authHeaders: () => ({}),
    models: { fixed: ['practice-1'] },
    embeddingModels: ['practice-embedding-1'],
    // Fictitious prices for testing costs and budgets.
    prices: { fixed: { inputPerMillionUsd: 0.5, outputPerMillionUsd: 1.5 } },
  }),
  /** The user's own app. It is called at its base URL. Without one it connects to Hone. */
  target: define({
    label: 'Target',
    needsKey: false,
    authHeaders: () => ({}),
    models: { fixed: [TARGET_MODEL] },
    hasEmbeddings: false,
    structuredOutput: 'prompt',
    // The cost that a target reports is used unchanged.
    prices: { fixed: { inputPerMillionUsd: 0, outputPerMillionUsd: 0 } },
  }),
};

/** Kinds that need only a key from the environment. */
export const ENVIRONMENT_KINDS = STORED_KINDS.filter((kind) => PROVIDER_DEFINITIONS[kind].keyVariable !== null);

export type ProviderPreset = Preset & { kind: StoredKind };

export const PROVIDER_PRESETS: readonly ProviderPreset[] = STORED_KINDS.flatMap((kind) =>
  PROVIDER_DEFINITIONS[kind].presets.map((preset) => ({ ...preset, kind })),
);
