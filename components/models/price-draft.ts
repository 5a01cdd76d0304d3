/** What a model costs, in US dollars a million tokens. */
type ShownPrices = { inputPerMillionUsd: number; outputPerMillionUsd: number };

/** What a model costs: a person's own price goes before the public one; both null: not known. */
export type ShownPrice = {
  provider: string;
  model: string;
  own: ShownPrices | null;
  list: (ShownPrices & { from: string; url: string | null; tiered: boolean }) | null;
  /** Of a model that was put in by hand and is not saved. */
  isNew?: boolean;
};

/** What stands in the two fields of a price. */
export type PriceDraft = { input: string; output: string };

type PriceChange = { provider: string; model: string; price: unknown };

/** What the fields of a price hold before anybody types. */
export function storedDraft({ own }: Pick<ShownPrice, 'own'>): PriceDraft {
  return own === null
    ? { input: '', output: '' }
    : { input: String(own.inputPerMillionUsd), output: String(own.outputPerMillionUsd) };
}

/**
 * The prices that were changed, as they are sent: emptied fields take the own price away. A number that is none is sent as it was
 * typed, so that the answer can name it; one field alone takes the other from the public price.
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
          inputPerMillionUsd: numberOf(draft.input, list?.inputPerMillionUsd),
          outputPerMillionUsd: numberOf(draft.output, list?.outputPerMillionUsd),
        },
      },
    ];
  });
}

export function priceKey({ provider, model }: Pick<ShownPrice, 'provider' | 'model'>): string {
  return JSON.stringify([provider, model]);
}

function numberOf(text: string, instead: number | undefined): unknown {
  if (text.trim() === '') return instead ?? text;
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}
