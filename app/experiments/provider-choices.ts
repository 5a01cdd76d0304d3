import type { ProviderChoice } from '#components/experiment/model-choice.tsx';
import type { ProviderView } from '#lib/models/list-providers.ts';
import { PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';

/** The providers a form offers, with the models that are known by name: the first is taken where none is chosen. */
export function providerChoices(providers: readonly ProviderView[]): ProviderChoice[] {
  return providers.map(({ name, kind, prices, test }) => {
    const listed = test?.models ?? [];
    const known = PROVIDER_DEFINITIONS[kind].models;
    if ('fixed' in known) return { name, models: [...known.fixed] };
    // Of a long list none is meant more than another.
    const only = listed.length === 1 ? listed : [];
    return { name, models: [...new Set([...Object.keys(prices), ...askedOf(test), ...only])], listed };
  });
}

/** The model that was last asked and answered. */
function askedOf(test: ProviderView['test']): string[] {
  return test?.call?.ok ? [test.call.model] : [];
}
