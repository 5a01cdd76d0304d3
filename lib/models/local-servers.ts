import { boundedFetch } from './bounded-fetch.ts';
import { readModelList } from './model-list.ts';

/** A server of models that people run on their own machine, where it listens unless told otherwise. */
export type LocalPlace = { name: string; label: string; port: number; path: string };

/** Source: the documentation of each for its OpenAI-compatible address. */
export const LOCAL_PLACES: readonly LocalPlace[] = [
  { name: 'ollama', label: 'Ollama', port: 11434, path: '/v1' },
  { name: 'lm-studio', label: 'LM Studio', port: 1234, path: '/v1' },
  { name: 'vllm', label: 'vLLM', port: 8000, path: '/v1' },
  { name: 'llama-cpp', label: 'llama.cpp', port: 8080, path: '/v1' },
  { name: 'jan', label: 'Jan', port: 1337, path: '/v1' },
  { name: 'sglang', label: 'SGLang', port: 30000, path: '/v1' },
  { name: 'docker', label: 'Docker Model Runner', port: 12434, path: '/engines/v1' },
];

/** What answers at a place: models, something that wants a key first, something else, or nothing. */
export type LocalServer = {
  name: string;
  label: string;
  baseUrl: string;
  state: 'found' | 'needs_key' | 'other' | 'nothing';
  models: string[];
};

const MAX_LIST_BYTES = 2_000_000;

/**
 * Asks the given ports of this machine, and nothing else, for a list of models; all at once. `timeoutMs` is the limit of each (2,000).
 */
export function findLocalServers(
  places: readonly LocalPlace[] = LOCAL_PLACES,
  timeoutMs = 2_000,
): Promise<LocalServer[]> {
  return Promise.all(
    places.map(async ({ name, label, port, path }) => {
      const baseUrl = `http://127.0.0.1:${port}${path}`;
      return { name, label, baseUrl, ...(await look(baseUrl, timeoutMs)) };
    }),
  );
}

async function look(baseUrl: string, timeoutMs: number): Promise<Pick<LocalServer, 'state' | 'models'>> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await boundedFetch(MAX_LIST_BYTES)(`${baseUrl}/models`, { signal }).catch(() => null);
  if (response === null) return { state: 'nothing', models: [] };
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return { state: response.headers.get('server') === 'AirTunes' ? 'other' : 'needs_key', models: [] };
  }
  const body = await response.text().catch(() => '');
  const models = response.ok ? readModelList(body) : null;
  return models === null ? { state: 'other', models: [] } : { state: 'found', models };
}
