import { expect, test } from 'vitest';
import { readTimeCursor } from './query-values.ts';

const ID = '0b0e8f5e-7a1c-4b53-9f54-3f1d0c0a9e11';

test('a cursor over time and id is read', () => {
  expect(readTimeCursor(`1700000000000_${ID}`)).toEqual({ at: new Date(1_700_000_000_000), id: ID });
});

test.each([null, '', ID, `x_${ID}`, `1_${'-'.repeat(36)}`, `1_${ID.replaceAll('-', '0')}`])(
  'the cursor %s is invalid',
  (cursor) => {
    expect(readTimeCursor(cursor)).toBeNull();
  },
);
