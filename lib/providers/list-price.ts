import { calcPrice } from '@pydantic/genai-prices';
import { baseUrlOf, type ProviderConfiguration } from './provider-configuration.ts';
import { type ModelPrices, PROVIDER_DEFINITIONS } from './provider-kinds.ts';

/** The public price of a model: dollars a million tokens, at its lowest tier; `from` is whose list, `url` where it can be read. */
export type ListPrice = ModelPrices & { from: string; url: string | null; tiered: boolean };

/** The maintained list's price of a model at a moment; null for servers and models that it does not know. The practice model has made-up ones. */
export function listPrice(configuration: ProviderConfiguration, model: string, at: Date): ListPrice | null {
  const place = placeInList(configuration);
  if ('fixed' in place) return { ...place.fixed, from: 'practice', url: null, tiered: false };
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model, { ...place, timestamp: at });
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

/** How the maintained list finds a provider: by its name there, or by its address where many kinds speak like OpenAI. */
function placeInList(
  configuration: ProviderConfiguration,
): { fixed: ModelPrices } | { providerId: string } | { providerApiUrl: string } {
  const { prices } = PROVIDER_DEFINITIONS[configuration.kind];
  // Without an address the list would guess by the model's name.
  if (prices === 'by_base_url') return { providerApiUrl: baseUrlOf(configuration) ?? 'about:blank' };
  return 'fixed' in prices ? prices : { providerId: prices.listId };
}

type ListedPrice = NonNullable<ReturnType<typeof calcPrice>>['model_price'][string];

function baseOf(price: ListedPrice): number {
  if (price === undefined) return 0;
  return typeof price === 'number' ? price : price.base;
}

/**
 * What a call cost in US dollars: by the person's own price of the model, else by the list price at that time, else null
 * (local servers, unknown models). Servers that speak like OpenAI are found by their address. `cached` are those of the input tokens that came from the provider's cache.
 */
export function priceOf(
  configuration: ProviderConfiguration,
  model: string,
  tokens: { input: number; output: number; cached: number },
  at: Date,
): number | null {
  const own = Object.hasOwn(configuration.prices, model) ? configuration.prices[model] : undefined;
  const place = placeInList(configuration);
  const prices = own ?? ('fixed' in place ? place.fixed : undefined);
  if (prices !== undefined) {
    return (tokens.input * prices.inputPerMillionUsd + tokens.output * prices.outputPerMillionUsd) / 1e6;
  }
  const usage = {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cache_read_tokens: Math.min(tokens.cached, tokens.input),
  };
  return calcPrice(usage, model, { ...place, timestamp: at })?.total_price ?? null;
}
