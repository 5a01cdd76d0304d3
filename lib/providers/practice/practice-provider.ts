import type { ModelPrices, ProviderConfiguration } from '#lib/providers/provider-configuration.ts';

/** The one model of the practice provider. */
export const PRACTICE_MODEL = 'practice-1';

/** Made-up prices, so that costs and budgets can be tried out. */
export const PRACTICE_PRICES: ModelPrices = { inputPerMillionUsd: 0.5, outputPerMillionUsd: 1.5 };

/** The provider that is always there: needs no key and no network. */
export const PRACTICE_PROVIDER: ProviderConfiguration = {
  name: 'practice',
  kind: 'practice',
  baseUrl: null,
  apiKey: null,
  prices: {},
};
