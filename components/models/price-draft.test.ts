import { expect, test } from 'vitest';
import { changedPrices, type PriceDraft, priceKey, type ShownPrice } from './price-draft.ts';

const LIST = { inputPerMillionUsd: 0.5, outputPerMillionUsd: 2, from: 'OpenAI', url: null, tiered: false };
const OWN = { inputPerMillionUsd: 1, outputPerMillionUsd: 3 };
const row = (prices: Partial<ShownPrice>): ShownPrice => ({
  provider: 'p',
  model: 'm',
  own: null,
  list: null,
  ...prices,
});

test.each<[string, ShownPrice, PriceDraft | null, unknown]>([
  ['untouched', row({ own: OWN }), null, []],
  ['typed back as it was', row({ own: OWN }), { input: ' 1', output: '3 ' }, []],
  ['emptied where there was none', row({ list: LIST }), { input: ' ', output: '' }, []],
  ['emptied: the own price goes', row({ own: OWN, list: LIST }), { input: '', output: '' }, [null]],
  ['both', row({}), { input: '0', output: '0' }, [{ inputPerMillionUsd: 0, outputPerMillionUsd: 0 }]],
  ['with a comma', row({}), { input: '0,25', output: '1' }, [{ inputPerMillionUsd: 0.25, outputPerMillionUsd: 1 }]],
  ['one alone', row({ list: LIST }), { input: '9', output: '' }, [{ inputPerMillionUsd: 9, outputPerMillionUsd: 2 }]],
  [
    'one alone without a list',
    row({}),
    { input: '9', output: '' },
    [{ inputPerMillionUsd: 9, outputPerMillionUsd: '' }],
  ],
  ['words', row({}), { input: 'much', output: '1' }, [{ inputPerMillionUsd: 'much', outputPerMillionUsd: 1 }]],
])('%s', (_name, price, draft, expected) => {
  const drafts = draft === null ? {} : { [priceKey(price)]: draft };
  expect(changedPrices([price], drafts).map((change) => change.price)).toEqual(expected);
});

test('distinguishes models of the same name by provider', () => {
  const rows = [row({}), row({ provider: 'q' })];
  const drafts = { [priceKey({ provider: 'q', model: 'm' })]: { input: '1', output: '1' } };
  expect(changedPrices(rows, drafts).map(({ provider }) => provider)).toEqual(['q']);
});
