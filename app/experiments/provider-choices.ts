import type { ProviderChoice } from '#components/experiment/model-choice.tsx';
import type { ProviderView } from '#lib/runs/list-providers.ts';

/** The providers a form offers, with the models that are known by name. */
export function providerChoices(providers: readonly ProviderView[]): ProviderChoice[] {
  return providers.map(({ name, kind, prices }) => ({
    name,
    models: kind === 'practice' ? ['practice-1'] : Object.keys(prices),
  }));
}
