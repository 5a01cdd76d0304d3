import { calcPrice } from '@pydantic/genai-prices';
import { PRACTICE_PRICES } from './practice/practice-provider.ts';
import { baseUrlOf, type ModelPrices, type ProviderConfiguration } from './provider-configuration.ts';

/** The public price of a model: dollars a million tokens, at its lowest tier; `from` is whose list, `url` where it can be read. */
export type ListPrice = ModelPrices & { from: string; url: string | null; tiered: boolean };

/** The maintained list's price of a model at a moment; null for servers and models that it does not know. The practice model has made-up ones. */
export function listPrice(configuration: ProviderConfiguration, model: string, at: Date): ListPrice | null {
  if (configuration.kind === 'practice') return { ...PRACTICE_PRICES, from: 'practice', url: null, tiered: false };
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model, {
    ...placeInList(configuration),
    timestamp: at,
  });
  if (found === null) return null;
  const [input, output] = [found.model_price.input_mtok, found.model_price.output_mtok];
  if (input === undefined && output === undefined) return null;
  return {
    inputPerMillionUsd: baseOf(input),
    outputPerMillionUsd: baseOf(output),
    from: found.provider.name,
    url: found.provider.pricing_urls?.[0] ?? null,
    tiered: typeof input === 'object' || typeof output === 'object',
  };
}

/** How the maintained list finds a provider: by its kind, or by its address where many kinds speak like OpenAI. */
export function placeInList(configuration: ProviderConfiguration): { providerId: string } | { providerApiUrl: string } {
  const { kind } = configuration;
  // Without an address the list would guess by the model's name.
  return kind === 'openai-compatible'
    ? { providerApiUrl: baseUrlOf(configuration) ?? 'about:blank' }
    : { providerId: kind };
}

type ListedPrice = NonNullable<ReturnType<typeof calcPrice>>['model_price'][string];

function baseOf(price: ListedPrice): number {
  if (price === undefined) return 0;
  return typeof price === 'number' ? price : price.base;
}
