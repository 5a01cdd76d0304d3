import type { RefusableParameter } from './refused-parameter-record.ts';

export const PROVIDER_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible', 'practice'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** What a model costs, in US dollars a million tokens. */
export type ModelPrices = { inputPerMillionUsd: number; outputPerMillionUsd: number };

/** How to reach a provider. `baseUrl` null = the provider's own address; `prices` are a person's own, by model. */
export type ProviderConfiguration = {
  name: string;
  kind: ProviderKind;
  baseUrl: string | null;
  apiKey: string | null;
  prices: Record<string, ModelPrices>;
  /** Whether its models are told of tools by the provider's own means or in the prompt. Left out or null: native until one refuses. */
  toolsBy?: ToolsBy | null;
  /** Seconds after which a call is given up, see `DEFAULT_TIMEOUT_SECONDS`. */
  timeoutSeconds?: number | null;
  /** Parameters that its models are known to refuse. */
  refused?: readonly { model: string; parameter: RefusableParameter }[];
};

/**
 * The time limit of a call where its provider has none of its own, in seconds: for the whole response, or for each next piece of one that
 * is streamed.
 */
export const DEFAULT_TIMEOUT_SECONDS = 300;
/** How many times its limit a streamed response may take in all. */
export const LONGEST_STREAM = 10;

export const TOOLS_BY = ['native', 'prompt'] as const;
export type ToolsBy = (typeof TOOLS_BY)[number];

const OWN_BASE_URLS = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/** Where requests to a provider go, without a slash at the end; null where none is set and the kind has none of its own. */
export function baseUrlOf(configuration: ProviderConfiguration): string | null {
  const own =
    configuration.kind === 'openai-compatible' || configuration.kind === 'practice'
      ? null
      : OWN_BASE_URLS[configuration.kind];
  const url = configuration.baseUrl?.trim() || own;
  return url === null ? null : url.replace(/\/+$/, '');
}

/** The provider as it may be shown in a message: its name and address, without user name, password or query. */
export function placeOf(configuration: ProviderConfiguration): string {
  const url = baseUrlOf(configuration);
  if (url === null || !URL.canParse(url)) return `provider "${configuration.name}"`;
  const { origin, pathname } = new URL(url);
  return `provider "${configuration.name}" (${origin}${pathname.replace(/\/+$/, '')})`;
}

/** A provider that people know by name, filled in: `baseUrl` null is the kind's own. */
type ProviderPreset = {
  name: string;
  label: string;
  kind: Exclude<ProviderKind, 'practice'>;
  where: 'hosted' | 'local';
  baseUrl: string | null;
};

const hosted = (name: string, label: string, baseUrl: string): ProviderPreset => ({
  name,
  label,
  kind: 'openai-compatible',
  where: 'hosted',
  baseUrl,
});

/** Where a server of models listens on this machine unless told otherwise. */
const local = (name: string, label: string, port: number, path = '/v1'): ProviderPreset => ({
  name,
  label,
  kind: 'openai-compatible',
  where: 'local',
  baseUrl: `http://127.0.0.1:${port}${path}`,
});

/** Source: the documentation of each for its OpenAI-compatible address. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  { name: 'openai', label: 'OpenAI', kind: 'openai', where: 'hosted', baseUrl: null },
  { name: 'anthropic', label: 'Anthropic', kind: 'anthropic', where: 'hosted', baseUrl: null },
  { name: 'google', label: 'Google Gemini', kind: 'google', where: 'hosted', baseUrl: null },
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
];
