import { expect, test } from 'vitest';
import {
  changedPrices,
  type PriceDraft,
  priceKey,
  refusedPrice,
  type ShownPrice,
  unsavedDrafts,
} from './price-draft.ts';

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
  ['an untouched price is not saved', row({ own: OWN }), null, []],
  ['a price retyped unchanged is not saved', row({ own: OWN }), { input: ' 1', output: '3 ' }, []],
  ['emptied fields without a custom price are not saved', row({ list: LIST }), { input: ' ', output: '' }, []],
  ['emptied fields delete the custom price', row({ own: OWN, list: LIST }), { input: '', output: '' }, [null]],
  ['saves both prices', row({}), { input: '0', output: '0' }, [{ inputPerMillionUsd: 0, outputPerMillionUsd: 0 }]],
  [
    'accepts a decimal comma',
    row({}),
    { input: '0,25', output: '1' },
    [{ inputPerMillionUsd: 0.25, outputPerMillionUsd: 1 }],
  ],
  [
    'a single price takes the other from the price list',
    row({ list: LIST }),
    { input: '9', output: '' },
    [{ inputPerMillionUsd: 9, outputPerMillionUsd: 2 }],
  ],
  [
    'a single price without a price list leaves the other empty',
    row({}),
    { input: '9', output: '' },
    [{ inputPerMillionUsd: 9, outputPerMillionUsd: '' }],
  ],
  [
    'words are passed on for validation',
    row({}),
    { input: 'much', output: '1' },
    [{ inputPerMillionUsd: 'much', outputPerMillionUsd: 1 }],
  ],
])('%s', (_name, price, draft, expected) => {
  const drafts = draft === null ? {} : { [priceKey(price)]: draft };
  expect(changedPrices([price], drafts).map((change) => change.price)).toEqual(expected);
});

test('distinguishes models of the same name by provider', () => {
  const rows = [row({}), row({ provider: 'q' })];
  const drafts = { [priceKey({ provider: 'q', model: 'm' })]: { input: '1', output: '1' } };
  expect(changedPrices(rows, drafts).map(({ provider }) => provider)).toEqual(['q']);
});

test('prices typed during a save are kept after it', () => {
  const saved = { a: { input: '1', output: '2' }, b: { input: '3', output: '4' } };
  const edited = { ...saved, b: { input: '3', output: '5' }, c: { input: '6', output: '' } };
  expect(unsavedDrafts(edited, saved)).toEqual({ b: edited.b, c: edited.c });
});

test('returns the refused price of the request, although a price before it was changed since', () => {
  const [first, second] = [row({ model: 'a' }), row({ model: 'b' })];
  const drafts = { [priceKey(second)]: { input: 'much', output: '1' } };
  const sent = changedPrices([first, second], drafts);
  const changed = changedPrices([first, second], { ...drafts, [priceKey(first)]: { input: '1', output: '1' } });
  const field = 'prices.0.price.inputPerMillionUsd';
  expect(refusedPrice(sent, field)).toEqual({ key: priceKey(second), model: 'b', part: 'input' });
  expect(refusedPrice(changed, field)?.model).toBe('a');
  expect(refusedPrice(sent, 'prices.0.provider')).toMatchObject({ model: 'b', part: null });
  expect(refusedPrice(sent, null)).toBeNull();
});
