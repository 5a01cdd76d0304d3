import { describe, expect, test } from 'vitest';
import { compareAddress } from '#components/compare/compare-address.ts';
import { readCompareParams } from './read-compare-params.ts';

const A = 'aaaaaaaa-0000-4000-8000-000000000000';
const B = 'bbbbbbbb-0000-4000-8000-000000000000';
const C = 'cccccccc-0000-4000-8000-000000000000';

describe('readCompareParams', () => {
  test.each<[string, string | string[]]>([
    ['in one parameter', `${A}@2,${B}`],
    ['in repeated parameters, as forms send them', [`${A}@2`, B]],
    ['in both forms, without duplicates', [`${A}@2,${B}`, B]],
  ])('names its arms %s', (_name, of) => {
    expect(readCompareParams({ of })).toMatchObject({
      arms: [
        { experimentId: A, version: 2 },
        { experimentId: B, version: null },
      ],
      ignored: 0,
      shown: null,
      metric: null,
    });
  });

  test('counts ignored versions', () => {
    const versions = Array.from({ length: 7 }, (_, at) => `${A}@${at + 1}`);
    expect(readCompareParams({ of: ['katas', ...versions] })).toMatchObject({ ignored: 3 });
    expect(readCompareParams({})).toMatchObject({ arms: [], ignored: 0 });
  });

  test.each([
    ['b-better', { armIndex: 1, kind: 'better' }],
    ['c-worse', { armIndex: 2, kind: 'worse' }],
    ['d-better', null],
    ['a-better', null],
    ['b-good', null],
  ])('reads which cases are shown: %s', (show, shown) => {
    expect(readCompareParams({ of: `${A},${B},${C}`, show }).shown).toEqual(shown);
  });

  test('reads back the URL that the page writes', () => {
    const state = { arms: [`${A}@2`, `${B}@1`], metric: 'solved', shown: { armIndex: 1, kind: 'worse' } } as const;
    const address = compareAddress(state);
    expect(address).toBe(`/compare?of=${A}@2,${B}@1&metric=solved&show=b-worse`);
    const read = readCompareParams(Object.fromEntries(new URL(address, 'http://localhost').searchParams));
    expect(read).toMatchObject({ metric: 'solved', shown: state.shown, arms: [{ version: 2 }, { version: 1 }] });
  });

  test.each(['-1', '1e3', 'x'])('a cursor of %s falls back to the first page', (cursor) => {
    expect(readCompareParams({ of: `${A},${B}`, cursor, case: 'x', metric: 'cost' })).toMatchObject({
      offset: 0,
      caseKey: null,
      metric: null,
    });
  });
});
