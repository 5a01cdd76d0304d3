import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { listPrices, type PriceRow } from './list-prices.ts';
import { pricesInputSchema } from './provider-input.ts';
import { storedOrAdopted } from './stored-or-adopted.ts';
import { changeProviderPrices } from './write-provider.ts';

/** Sets own prices of models, or takes them away so that the public ones hold again; answers all prices. */
export async function updatePrices(context: AppContext, actor: Actor, input: unknown): Promise<Result<PriceRow[]>> {
  const parsed = parseInput(pricesInputSchema, input);
  if (!parsed.ok) return parsed;
  const byProvider = Map.groupBy(parsed.value.prices, ({ provider }) => provider);
  for (const [place, { provider }] of parsed.value.prices.entries())
    if ((await storedOrAdopted(context, provider)) === null)
      return fail(
        provider === 'practice' ? 'invalid' : 'not_found',
        provider === 'practice'
          ? 'The prices of the practice model are made up and stay as they are.'
          : `There is no provider named ${JSON.stringify(provider)}.`,
        `prices.${place}.provider`,
      );
  // In one order, so that two of these cannot wait for each other.
  const inOrder = [...byProvider].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await inTransaction(context.database, async (client) => {
    for (const [provider, changes] of inOrder) {
      const set = changes.flatMap(({ model, price }) => (price === null ? [] : [[model, price] as const]));
      const taken = changes.flatMap(({ model, price }) => (price === null ? [model] : []));
      await changeProviderPrices(client, provider, { set: Object.fromEntries(set), taken }, context.now());
    }
    await recordChange(client, actor, {
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
