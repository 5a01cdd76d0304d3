import type { AppContext } from '#lib/context/app-context.ts';
import { type ListPrice, listPrice } from '#lib/providers/list-price.ts';
import type { ModelPrices, ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { listProviders, type ProviderView } from './list-providers.ts';

/** What a model costs, in dollars a million tokens: a person's own price goes before the public one; both null: not known. */
export type PriceRow = {
  provider: string;
  model: string;
  own: ModelPrices | null;
  list: ListPrice | null;
  /** Experiments and prompts that name it, and what for. */
  uses: number;
  roles: string[];
};

/** Providers that list fewer models than this have all of them shown. */
const FEW = 8;
const MOST_ROWS = 300;

/** The prices of the models that are used, have an own price, were tested, or are one of the few of their provider. */
export async function listPrices(context: AppContext, known?: ProviderView[]): Promise<PriceRow[]> {
  const providers = known ?? (await listProviders(context));
  const now = context.now();
  const rows = providers.flatMap((provider) => {
    const uses = new Map(provider.use.models.map((use) => [use.model, use]));
    return modelsOf(provider, [...uses.keys()]).map((model) => ({
      provider: provider.name,
      model,
      own: Object.hasOwn(provider.prices, model) ? (provider.prices[model] ?? null) : null,
      list: listPrice(configurationOf(provider), model, now),
      uses: uses.get(model)?.uses ?? 0,
      roles: uses.get(model)?.roles ?? [],
    }));
  });
  return rows.slice(0, MOST_ROWS);
}

function modelsOf({ kind, prices, test }: ProviderView, used: string[]): string[] {
  const listed = test?.models ?? [];
  const some =
    kind === 'practice' ? ['practice-1'] : [...Object.keys(prices), ...(test?.call ? [test.call.model] : [])];
  return [...new Set([...used, ...some, ...(listed.length < FEW ? listed : [])])];
}

function configurationOf({ name, kind, baseUrl, prices }: ProviderView): ProviderConfiguration {
  return { name, kind, baseUrl, apiKey: null, prices };
}
