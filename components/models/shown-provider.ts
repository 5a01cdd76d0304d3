import { submitApi } from '#components/api/call-api.ts';
import type { ProviderView } from '#lib/models/list-providers.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';

/** Test of a provider with its time. */
export type KeptTest = ProviderTest & { at: string };

/** Provider as shown on the page, without its key. */
export type ShownProvider = Omit<ProviderView, 'prices' | 'usedByExperiments'>;

/** Tests the key of a provider with one small call. If a model is named, tests its support for the features that runs need. */
export function testProvider(name: string, model: string | null, temperature?: string) {
  const query = model === null ? ({ call: 'true' } as const) : { model, temperature };
  return submitApi('POST /api/v1/providers/{name}/test', { params: { name }, query });
}

export const changeProvider = (name: string, body: unknown) =>
  submitApi('PATCH /api/v1/providers/{name}', { params: { name }, body });

/** Returns the name, with a number appended if it is taken: `ollama`, `ollama-2`. */
export function freeName(name: string, usedNames: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!usedNames.includes(candidate)) return candidate;
  }
}
