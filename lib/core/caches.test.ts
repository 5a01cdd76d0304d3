import { describe, expect, test } from 'vitest';
import { cachedByObject, keepRecent } from './caches.ts';

describe('results by object', () => {
  test.each([[1], [null], [undefined]])('%s is derived once for each object', (value) => {
    const derived: object[] = [];
    const read = cachedByObject((key: object) => {
      derived.push(key);
      return value;
    });
    const [one, other] = [{}, {}];
    expect([one, one, other, one, other].map(read)).toEqual(Array(5).fill(value));
    expect(derived).toEqual([one, other]);
  });

  test('an error is not kept', () => {
    let calls = 0;
    const read = cachedByObject((_key: object) => {
      calls++;
      if (calls === 1) throw new Error('not yet');
      return calls;
    });
    const key = {};
    expect(() => read(key)).toThrow('not yet');
    expect([read(key), read(key)]).toEqual([2, 2]);
  });
});

test('a bounded cache keeps the values that were stored last', () => {
  const cache = new Map<string, number>();
  for (const [key, value] of Object.entries({ a: 1, b: 2 })) expect(keepRecent(cache, key, value, 2)).toBe(value);
  keepRecent(cache, 'a', 1, 2);
  keepRecent(cache, 'c', 3, 2);
  expect([...cache.keys()]).toEqual(['a', 'c']);
});
