import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { baseUrlOf, type ProviderConfiguration } from './provider-configuration.ts';
import { type ModelPrices, PROVIDER_DEFINITIONS } from './provider-kinds.ts';

/** Public price of a model at its lowest tier, in dollars per million tokens. `from` is the source of the list, `url` its page. */
export type ListPrice = ModelPrices & { from: string; url: string | null; tiered: boolean };

/** Returns the list price of a model at a time. Returns null for unknown servers and models. The practice model has fictitious prices. */
export function listPrice(configuration: ProviderConfiguration, model: string, at: Date): ListPrice | null {
  const key = priceListKey(configuration);
  if (key === null) return null;
  if ('fixed' in key) return { ...key.fixed, from: 'practice', url: null, tiered: false };
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, model, { ...key, timestamp: at });
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

/** Returns the provider's id in the price list, found by its URL for kinds that share the OpenAI API. Null if it is not in the list. */
function priceListKey(configuration: ProviderConfiguration): { fixed: ModelPrices } | { providerId: string } | null {
  const { prices } = PROVIDER_DEFINITIONS[configuration.kind];
  if (prices !== 'by_base_url') return 'fixed' in prices ? prices : { providerId: prices.listId };
  const providerId = listedIdOf(baseUrlOf(configuration) ?? '');
  return providerId === null ? null : { providerId };
}

/** Ids in the price list by URL. A search compiles a pattern for each listed provider, too slow for each call. */
const listedIds = new Map<string, string | null>();

function listedIdOf(url: string): string | null {
  const known = listedIds.get(url);
  if (known !== undefined) return known;
  const found = url === '' ? null : (findProvider({ providerApiUrl: url })?.id ?? null);
  listedIds.set(url, found);
  return found;
}

type ListedPrice = NonNullable<ReturnType<typeof calcPrice>>['model_price'][string];

function baseOf(price: ListedPrice): number {
  if (price === undefined) return 0;
  return typeof price === 'number' ? price : price.base;
}

/**
 * Returns the cost of a call in US dollars: by the person's own price, else by the list price at that time, else null (local servers,
 * unknown models). OpenAI-compatible servers are looked up by URL. `cached` is the number of input tokens from the provider's cache.
 */
export function priceOf(
  configuration: ProviderConfiguration,
  model: string,
  tokens: { input: number; output: number; cached: number },
  at: Date,
): number | null {
  const configured = Object.hasOwn(configuration.prices, model) ? configuration.prices[model] : undefined;
  const key = priceListKey(configuration);
  const prices = configured ?? (key !== null && 'fixed' in key ? key.fixed : undefined);
  if (prices !== undefined) {
    return (tokens.input * prices.inputPerMillionUsd + tokens.output * prices.outputPerMillionUsd) / 1e6;
  }
  if (key === null) return null;
  const usage = {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cache_read_tokens: Math.min(tokens.cached, tokens.input),
  };
  return calcPrice(usage, model, { ...key, timestamp: at })?.total_price ?? null;
}
