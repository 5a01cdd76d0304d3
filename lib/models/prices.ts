import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { ownValue } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type ListPrice, listPrice } from '#lib/providers/list-price.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { type ModelPrices, PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { listProviders, type ProviderView } from './list-providers.ts';
import { pricesInputSchema } from './provider-input.ts';
import { adoptProvider, environmentProvider } from './resolve-provider.ts';
import { changeProviderPrices, findProvider } from './stored-provider.ts';

/**
 * Price of a model, in dollars per million tokens. A person's own price overrides the public one. The price is unknown if both are null.
 */
export type PriceRow = {
  provider: string;
  model: string;
  own: ModelPrices | null;
  list: ListPrice | null;
  /** Number of experiments and prompts that use the model, and their roles for it. */
  uses: number;
  roles: string[];
};

/** Providers that list fewer models than this are shown with all of them. */
const FEW = 8;
const MAX_ROWS = 300;

/** Returns the prices of models that are used, have an own price, were tested, or belong to a provider with few models. */
export async function listPrices(context: AppContext, known?: ProviderView[]): Promise<PriceRow[]> {
  const providers = known ?? (await listProviders(context));
  const now = context.now();
  const rows = providers.flatMap((provider) => {
    const uses = new Map(provider.use.models.map((use) => [use.model, use]));
    return modelsOf(provider, [...uses.keys()]).map((model) => ({
      provider: provider.name,
      model,
      own: ownValue(provider.prices, model),
      list: listPrice(configurationOf(provider), model, now),
      uses: uses.get(model)?.uses ?? 0,
      roles: uses.get(model)?.roles ?? [],
    }));
  });
  return rows.slice(0, MAX_ROWS);
}

function modelsOf({ kind, prices, test }: ProviderView, used: string[]): string[] {
  const listed = test?.models ?? [];
  const known = PROVIDER_DEFINITIONS[kind].models;
  const some = 'fixed' in known ? known.fixed : [...Object.keys(prices), ...(test?.call ? [test.call.model] : [])];
  return [...new Set([...used, ...some, ...(listed.length < FEW ? listed : [])])];
}

function configurationOf({ name, kind, baseUrl, prices }: ProviderView): ProviderConfiguration {
  return { name, kind, baseUrl, apiKey: null, prices };
}

/** Sets a person's own prices of models, or removes them so that the public ones apply again. Returns all prices. */
export async function updatePrices(context: AppContext, actor: Actor, input: unknown): Promise<Result<PriceRow[]>> {
  const parsed = parseInput(pricesInputSchema, input);
  if (!parsed.ok) return parsed;
  const byProvider = Map.groupBy(parsed.value.prices, ({ provider }) => provider);
  for (const [index, { provider }] of parsed.value.prices.entries())
    if (((await findProvider(context.database, provider)) ?? environmentProvider(context, provider)) === null)
      return fail(
        provider === 'practice' ? 'invalid' : 'not_found',
        provider === 'practice'
          ? 'The prices of the practice model are made up and stay as they are.'
          : `There is no provider named ${JSON.stringify(provider)}.`,
        `prices.${index}.provider`,
      );
  // A fixed order prevents deadlocks between concurrent updates.
  const inOrder = [...byProvider].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await inTransaction(context.database, async (transaction) => {
    let isChanged = false;
    for (const [provider, changes] of inOrder) {
      if (changes.some(({ price }) => price !== null)) await adoptProvider(transaction, context, provider);
      if (await changeProviderPrices(transaction, provider, changes, context.now())) isChanged = true;
    }
    if (!isChanged) return;
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'prices' },
      change: {
        models: parsed.value.prices
          .map(({ provider, model, price }) => `${provider}/${model}${price === null ? ' as listed' : ''}`)
          .join(', '),
      },
    });
  });
  return succeed(await listPrices(context));
}
