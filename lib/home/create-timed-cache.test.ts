import { expect, test } from 'vitest';
import { createTimedCache } from './find-home.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 25, 12, 0, seconds));

/** Returns a function that counts its calls. */
function counter() {
  let asked = 0;
  return { find: async (key: string) => `${key} ${++asked}`, asked: () => asked };
}

test('passes the time of the lookup, which a cached value keeps', async () => {
  const read = createTimedCache(async (_key, now) => now, 60_000);
  expect([await read('a', at(1)), await read('a', at(2))]).toEqual([at(1), at(1)]);
});

test('returns a fresh value from the cache', async () => {
  const { find, asked } = counter();
  const read = createTimedCache(find, 60_000);
  expect([await read('a', at(0)), await read('a', at(59))]).toEqual(['a 1', 'a 1']);
  expect(asked()).toBe(1);
});

test('returns a stale value once more and refreshes it once', async () => {
  const { find, asked } = counter();
  const read = createTimedCache(find, 10_000);
  await read('a', at(0));
  const twice = [read('a', at(11)), read('a', at(11))];
  expect(await Promise.all(twice)).toEqual(['a 1', 'a 1']);
  expect(asked()).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read('a', at(12))).toBe('a 2');
});

test.each([
  ['up to ten times older than a fresh one is returned', 100, 'a 1'],
  ['older than that is looked up first', 101, 'a 2'],
])('a value %s', async (_name, seconds, answered) => {
  const { find } = counter();
  const read = createTimedCache(find, 10_000);
  await read('a', at(0));
  expect(await read('a', at(seconds))).toBe(answered);
});

test.each([
  ['no value exists', 0],
  ['the value is too old', 101],
])('concurrent readers share one lookup if %s', async (_name, seconds) => {
  const { find, asked } = counter();
  const read = createTimedCache(find, 10_000);
  if (seconds > 0) await read('a', at(0));
  const before = asked();
  const [one, other] = await Promise.all([read('a', at(seconds)), read('a', at(seconds))]);
  expect(one).toBe(other);
  expect(asked() - before).toBe(1);
});

test('does not cache a failed lookup', async () => {
  let asked = 0;
  const read = createTimedCache(async () => {
    asked += 1;
    if (asked === 1) throw new Error('lost');
    return asked;
  }, 1_000);
  await expect(read('a', at(0))).rejects.toThrow('lost');
  expect(await read('a', at(0))).toBe(2);
});

test('separates keys and evicts the oldest', async () => {
  const { find, asked } = counter();
  const read = createTimedCache(find, 60_000, 2);
  for (const key of ['a', 'b', 'c']) await read(key, at(0));
  await read('c', at(1));
  expect(asked()).toBe(3);
  await read('a', at(1));
  expect(asked()).toBe(4);
});

test('keeps the value after a failed refresh, and the next reader retries', async () => {
  let asked = 0;
  const read = createTimedCache(async () => {
    asked += 1;
    if (asked === 2) throw new Error('lost');
    return asked;
  }, 1_000);
  await read('a', at(0));
  expect(await read('a', at(5))).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read('a', at(6))).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await read('a', at(6))).toBe(3);
});
