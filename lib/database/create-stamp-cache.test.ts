import { expect, test } from 'vitest';
import { createStampCache } from './create-stamp-cache.ts';

function counted() {
  let made = 0;
  return {
    work: async () => `value ${++made}`,
    made: () => made,
  };
}

test('computes a value once per stamp, shared by concurrent callers', async () => {
  const { work, made } = counted();
  const keep = createStampCache<string>(1_000, () => 10);
  expect(await Promise.all([keep('a', '1', work), keep('a', '1', work)])).toEqual(['value 1', 'value 1']);
  expect(await keep('a', '1', work)).toBe('value 1');
  expect(await keep('a', '2', work)).toBe('value 2');
  expect(await keep('b', '2', work)).toBe('value 3');
  expect(made()).toBe(3);
});

test('keeps the most recently used values up to the byte limit', async () => {
  const keep = createStampCache<string>(100, () => 40);
  const asked = async (key: string) => {
    const { work, made } = counted();
    await keep(key, '1', work);
    return made() === 0 ? 'kept' : 'made';
  };
  expect([await asked('a'), await asked('b'), await asked('a')]).toEqual(['made', 'made', 'kept']);
  expect([await asked('c'), await asked('a'), await asked('b')]).toEqual(['made', 'kept', 'made']);
});

test('does not cache failures or values above the byte limit', async () => {
  const keep = createStampCache<string>(100, (value) => (value === 'value 1' ? 101 : 1));
  const { work, made } = counted();
  await keep('a', '1', work);
  await keep('a', '1', work);
  await keep('a', '1', work);
  expect(made()).toBe(2);
  await expect(keep('b', '1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await keep('b', '1', work)).toBe('value 3');
});
