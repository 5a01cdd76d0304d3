import { providerSchema } from '#lib/api/providers.ts';
import type { Api } from './api/open-api.ts';

type NewProvider = { name: string; baseUrl: string } & Record<string, unknown>;

/** Creates a provider, OpenAI-compatible unless `kind` is given. Throws if Hone rejects it. */
export async function createProvider(api: Pick<Api, 'read'>, provider: NewProvider): Promise<void> {
  await api.read(providerSchema, 'POST', '/api/v1/providers', { kind: 'openai-compatible', ...provider });
}
