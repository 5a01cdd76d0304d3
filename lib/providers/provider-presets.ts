import type { ProviderKind } from './provider-configuration.ts';

/** A provider that people know by name, filled in: `baseUrl` null is the kind's own. */
export type ProviderPreset = {
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
