import { calcPrice } from '@pydantic/genai-prices';
import { placeInList } from './list-price.ts';
import { PRACTICE_PRICES } from './practice/practice-provider.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';

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
  const prices = own ?? (configuration.kind === 'practice' ? PRACTICE_PRICES : undefined);
  if (prices !== undefined) {
    return (tokens.input * prices.inputPerMillionUsd + tokens.output * prices.outputPerMillionUsd) / 1e6;
  }
  const usage = {
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cache_read_tokens: Math.min(tokens.cached, tokens.input),
  };
  return calcPrice(usage, model, { ...placeInList(configuration), timestamp: at })?.total_price ?? null;
}
