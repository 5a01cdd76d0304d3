import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';

/** All kinds of providers; the order in which forms and messages name them. */
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

/** Kinds of models that people add; the practice provider is always there. */
export const STORED_KINDS = PROVIDER_KINDS.filter((kind) => kind !== 'practice' && kind !== 'target');
export type StoredKind = (typeof STORED_KINDS)[number];

/** Keys from the environment, by the kind they are for. */
export type EnvironmentKeys = Partial<Record<StoredKind, string>>;

/** Entries of a provider beside its address and key, by name. None of them is secret. */
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

/** An entry as forms show it and as it is checked. */
type ProviderField = {
  label: string;
  help: string;
  pattern: RegExp;
  /** What it must be, for the message that refuses another value. */
  mustBe: string;
  isNeeded?: boolean;
  /** The values that it can have, with what each is called; an entry without any is typed. */
  choices?: Readonly<Record<string, string>>;
};

/** What a model costs, in US dollars a million tokens. */
export type ModelPrices = { inputPerMillionUsd: number; outputPerMillionUsd: number };

/** A provider that people know by name, filled in: `baseUrl` null is the kind's own. */
type Preset = { name: string; label: string; where: 'hosted' | 'local'; baseUrl: string | null };

/** All that Hone knows of a kind of provider. Free of server packages: forms read it too. */
export type ProviderDefinition = {
  label: string;
  /** The AI SDK's provider that speaks its API, see `language-model.ts`. */
  sdk: ProviderKind;
  /** Its own base URL; null: each provider of this kind is entered with one, or with what `baseUrlFrom` needs. */
  baseUrl: string | null;
  /** The base URL that its entries stand for; null where one of them is missing. */
  baseUrlFrom?: (options: ProviderOptions) => string | null;
  /** What is entered beside address and key, in the order of the form. */
  fields?: Partial<Record<ProviderOption, ProviderField>>;
  /** What its key is, where that is more than an API key. */
  keyHelp?: string;
  /** Whether it cannot be asked without a key. */
  needsKey: boolean;
  /** The environment variable that gives a key for its own base URL. */
  keyVariable: string | null;
  /** The headers that carry the key. The AI SDK sends those of the hosted kinds by itself, except for the list of models. */
  authHeaders: (key: string) => Record<string, string>;
  /** The models that it has, the query that makes its list of models come whole, or what is entered besides what its cloud lists. */
  models: { fixed: readonly string[] } | { query: string } | { entered: string };
  hasEmbeddings: boolean;
  /** Embedding models that are offered; any other can be named. */
  embeddingModels: readonly string[];
  /** Its models for everyday use: the first of them that it lists is the default. Null: the first text model that it lists. */
  usualModels: RegExp | null;
  /** Whether a JSON schema goes to the provider as such (`native`) or must stand in the prompt. */
  structuredOutput: 'native' | 'prompt';
  /** Where its requests go to the older chat call, whose limit of tokens has two names. */
  chatCompletions: 'everywhere' | 'at_other_base_urls' | 'nowhere';
  /** Whether each request must limit the tokens of its answer. */
  needsOutputLimit: boolean;
  /** How its models are found in the public price list: by the list's name for it, or by the base URL. */
  prices: { fixed: ModelPrices } | { listId: string } | 'by_base_url';
  /** Its name in OpenTelemetry's conventions; null: the name that a person gave the provider. */
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

/** Where Vertex AI is reached at a location. */
function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'eu' || location === 'us'
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const hosted = (name: string, label: string, baseUrl: string): Preset => ({ name, label, where: 'hosted', baseUrl });

/** Where a server of models listens on this machine unless told otherwise. */
const local = (name: string, label: string, port: number, path = '/v1'): Preset => ({
  name,
  label,
  where: 'local',
  baseUrl: `http://127.0.0.1:${port}${path}`,
});

/** The one definition of each kind. Source of the presets: the documentation of each for its OpenAI-compatible address. */
export const PROVIDER_DEFINITIONS = {
  openai: {
    label: 'OpenAI',
    sdk: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    keyVariable: 'OPENAI_API_KEY',
    authHeaders: bearer,
    models: { query: '' },
    hasEmbeddings: true,
    embeddingModels: ['text-embedding-3-small', 'text-embedding-3-large'],
    usualModels: /^gpt-[5-9](\.\d+)?-mini$/,
    structuredOutput: 'native',
    // Servers that only imitate OpenAI know the older chat call, not the newer responses call.
    chatCompletions: 'at_other_base_urls',
    needsOutputLimit: false,
    prices: { listId: 'openai' },
    traceName: 'openai',
    fields: { api: { ...API_FIELD, help: 'Default: Responses at OpenAI, Chat Completions at other base URLs.' } },
    presets: [{ name: 'openai', label: 'OpenAI', where: 'hosted', baseUrl: null }],
  },
  anthropic: {
    label: 'Anthropic',
    sdk: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
    keyVariable: 'ANTHROPIC_API_KEY',
    authHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    models: { query: '?limit=1000' },
    hasEmbeddings: false,
    embeddingModels: [],
    usualModels: /^claude-.*sonnet/,
    structuredOutput: 'native',
    chatCompletions: 'nowhere',
    needsOutputLimit: true,
    prices: { listId: 'anthropic' },
    traceName: 'anthropic',
    presets: [{ name: 'anthropic', label: 'Anthropic', where: 'hosted', baseUrl: null }],
  },
  google: {
    label: 'Google Gemini',
    sdk: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: true,
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    authHeaders: (key) => ({ 'x-goog-api-key': key }),
    models: { query: '?pageSize=1000' },
    hasEmbeddings: true,
    embeddingModels: ['gemini-embedding-001'],
    usualModels: /^gemini-[\d.]+-flash$/,
    structuredOutput: 'native',
    chatCompletions: 'nowhere',
    needsOutputLimit: false,
    prices: { listId: 'google' },
    traceName: 'gcp.gemini',
    presets: [{ name: 'google', label: 'Google Gemini', where: 'hosted', baseUrl: null }],
  },
  azure: {
    label: 'Azure OpenAI',
    sdk: 'azure',
    baseUrl: null,
    baseUrlFrom: ({ resourceName }) =>
      resourceName === undefined ? null : `https://${resourceName}.openai.azure.com/openai`,
    needsKey: true,
    keyVariable: null,
    authHeaders: (key) => ({ 'api-key': key }),
    models: { entered: 'deployment' },
    hasEmbeddings: true,
    embeddingModels: [],
    usualModels: null,
    structuredOutput: 'native',
    chatCompletions: 'everywhere',
    needsOutputLimit: false,
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
  },
  'amazon-bedrock': {
    label: 'Amazon Bedrock',
    sdk: 'amazon-bedrock',
    baseUrl: null,
    baseUrlFrom: ({ region }) => (region === undefined ? null : `https://bedrock-runtime.${region}.amazonaws.com`),
    needsKey: true,
    keyVariable: null,
    authHeaders: bearer,
    models: { entered: 'model ID' },
    hasEmbeddings: true,
    embeddingModels: ['amazon.titan-embed-text-v2:0'],
    usualModels: null,
    structuredOutput: 'native',
    chatCompletions: 'nowhere',
    needsOutputLimit: false,
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
  },
  'google-vertex': {
    label: 'Google Vertex AI',
    sdk: 'google-vertex',
    baseUrl: null,
    baseUrlFrom: ({ project, location = 'global' }) =>
      project === undefined
        ? 'https://aiplatform.googleapis.com/v1/publishers/google'
        : `https://${vertexHost(location)}/v1beta1/projects/${project}/locations/${location}/publishers/google`,
    needsKey: true,
    keyVariable: null,
    authHeaders: (key) => ({ 'x-goog-api-key': key }),
    models: { entered: 'model ID' },
    hasEmbeddings: true,
    embeddingModels: ['gemini-embedding-001'],
    usualModels: null,
    structuredOutput: 'native',
    chatCompletions: 'nowhere',
    needsOutputLimit: false,
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
  },
  'openai-compatible': {
    label: 'OpenAI-compatible server',
    sdk: 'openai-compatible',
    baseUrl: null,
    needsKey: false,
    keyVariable: null,
    authHeaders: bearer,
    models: { query: '' },
    hasEmbeddings: true,
    embeddingModels: [],
    usualModels: null,
    structuredOutput: 'prompt',
    chatCompletions: 'everywhere',
    needsOutputLimit: false,
    prices: 'by_base_url',
    traceName: null,
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
  },
  practice: {
    label: 'Practice',
    sdk: 'practice',
    baseUrl: null,
    needsKey: false,
    keyVariable: null,
    authHeaders: () => ({}),
    models: { fixed: ['practice-1'] },
    hasEmbeddings: true,
    embeddingModels: ['practice-embedding-1'],
    usualModels: null,
    structuredOutput: 'native',
    chatCompletions: 'nowhere',
    needsOutputLimit: false,
    // Made up, so that costs and budgets can be tried out.
    prices: { fixed: { inputPerMillionUsd: 0.5, outputPerMillionUsd: 1.5 } },
    traceName: null,
    presets: [],
  },
  /** An app of the user's own. It is called at its base URL; without one it connects to Hone. */
  target: {
    label: 'Target',
    sdk: 'target',
    baseUrl: null,
    needsKey: false,
    keyVariable: null,
    authHeaders: () => ({}),
    models: { fixed: [TARGET_MODEL] },
    hasEmbeddings: false,
    embeddingModels: [],
    usualModels: null,
    structuredOutput: 'prompt',
    chatCompletions: 'nowhere',
    needsOutputLimit: false,
    // What a target says that it spent is counted as it is.
    prices: { fixed: { inputPerMillionUsd: 0, outputPerMillionUsd: 0 } },
    traceName: null,
    presets: [],
  },
} satisfies Record<ProviderKind, ProviderDefinition> as Record<ProviderKind, ProviderDefinition>;

/** Kinds that can be used with nothing but a key from the environment. */
export const ENVIRONMENT_KINDS = STORED_KINDS.filter((kind) => PROVIDER_DEFINITIONS[kind].keyVariable !== null);

export type ProviderPreset = Preset & { kind: StoredKind };

export const PROVIDER_PRESETS: readonly ProviderPreset[] = STORED_KINDS.flatMap((kind) =>
  PROVIDER_DEFINITIONS[kind].presets.map((preset) => ({ ...preset, kind })),
);
