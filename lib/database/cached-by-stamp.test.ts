import { expect, test } from 'vitest';
import { cachedByStamp } from './cached-by-stamp.ts';

function counted() {
  let made = 0;
  return {
    work: async () => `value ${++made}`,
    made: () => made,
  };
}

test('a value is worked out once for each stamp, also for those who ask meanwhile', async () => {
  const { work, made } = counted();
  const keep = cachedByStamp<string>(1_000, () => 10);
  expect(await Promise.all([keep('a', '1', work), keep('a', '1', work)])).toEqual(['value 1', 'value 1']);
  expect(await keep('a', '1', work)).toBe('value 1');
  expect(await keep('a', '2', work)).toBe('value 2');
  expect(await keep('b', '2', work)).toBe('value 3');
  expect(made()).toBe(3);
});

test('the values asked for last are kept, up to so many bytes', async () => {
  const keep = cachedByStamp<string>(100, () => 40);
  const asked = async (key: string) => {
    const { work, made } = counted();
    await keep(key, '1', work);
    return made() === 0 ? 'kept' : 'made';
  };
  expect([await asked('a'), await asked('b'), await asked('a')]).toEqual(['made', 'made', 'kept']);
  expect([await asked('c'), await asked('a'), await asked('b')]).toEqual(['made', 'kept', 'made']);
});

test('a value larger than all of it and a failure are not kept', async () => {
  const keep = cachedByStamp<string>(100, (value) => (value === 'value 1' ? 101 : 1));
  const { work, made } = counted();
  await keep('a', '1', work);
  await keep('a', '1', work);
  await keep('a', '1', work);
  expect(made()).toBe(2);
  await expect(keep('b', '1', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await keep('b', '1', work)).toBe('value 3');
});
