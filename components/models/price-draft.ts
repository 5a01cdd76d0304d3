import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import type { PriceRow } from '#lib/models/prices.ts';

export type ShownPrice = Pick<PriceRow, 'provider' | 'model' | 'own' | 'list'> & {
  /** True for a model added manually and not saved yet. */
  isNew?: boolean;
};

/** Typed values of the two price fields. */
export type PriceDraft = { input: string; output: string };

export type PriceChange = { provider: string; model: string; price: unknown };

/** Returns the initial values of the price fields. */
export function storedDraft({ own }: Pick<ShownPrice, 'own'>): PriceDraft {
  return own === null
    ? { input: '', output: '' }
    : { input: String(own.inputPerMillionUsd), output: String(own.outputPerMillionUsd) };
}

/**
 * Returns the changed prices for the request. Emptied fields remove the custom price. Invalid numbers are sent as typed, so that the server
 * can report them. If only one field is filled, the other uses the public price.
 */
export function changedPrices(
  rows: readonly ShownPrice[],
  drafts: Readonly<Record<string, PriceDraft>>,
): PriceChange[] {
  return rows.flatMap((row): PriceChange[] => {
    const stored = storedDraft(row);
    const draft = drafts[priceKey(row)] ?? stored;
    if (draft.input.trim() === stored.input && draft.output.trim() === stored.output) return [];
    const { provider, model, list } = row;
    if (draft.input.trim() === '' && draft.output.trim() === '')
      return row.own === null ? [] : [{ provider, model, price: null }];
    return [
      {
        provider,
        model,
        price: {
          inputPerMillionUsd: parseNumberEntry(draft.input) ?? list?.inputPerMillionUsd ?? '',
          outputPerMillionUsd: parseNumberEntry(draft.output) ?? list?.outputPerMillionUsd ?? '',
        },
      },
    ];
  });
}

/** Returns the drafts that are not saved yet. `saved`: the drafts when the save began. */
export function unsavedDrafts(
  drafts: Readonly<Record<string, PriceDraft>>,
  saved: Readonly<Record<string, PriceDraft>>,
): Record<string, PriceDraft> {
  return Object.fromEntries(Object.entries(drafts).filter(([key, draft]) => saved[key] !== draft));
}

/** Returns the key, the model and the part (`input` or `output`, if known) of the price that a request was refused for, from its field. */
export function refusedPrice(sent: readonly PriceChange[], field: string | null | undefined) {
  const [, row, part = null] = /^prices\.(\d+)(?:\.price\.(input|output))?/.exec(field ?? '') ?? [];
  const change = row === undefined ? undefined : sent[Number(row)];
  return change === undefined ? null : { key: priceKey(change), model: change.model, part };
}

export function priceKey({ provider, model }: Pick<ShownPrice, 'provider' | 'model'>): string {
  return JSON.stringify([provider, model]);
}
