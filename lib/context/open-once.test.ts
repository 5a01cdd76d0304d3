import { expect, test } from 'vitest';
import { openOnce } from './open-once.ts';

test('opens once, also for concurrent calls', async () => {
  let opened = 0;
  const value = openOnce(async () => ++opened);
  expect(await value.opened()).toBeNull();
  expect(await Promise.all([value.get(), value.get(), value.opened()])).toEqual([1, 1, 1]);
  expect([await value.get(), await value.opened()]).toEqual([1, 1]);
});

test('tries again after a failure', async () => {
  let tries = 0;
  const value = openOnce(async () => {
    tries++;
    if (tries === 1) throw new Error('too many open files');
    return 'open';
  });
  const first = value.get();
  expect(await value.opened()).toBeNull();
  await expect(first).rejects.toThrow('too many open files');
  expect([await value.get(), await value.opened()]).toEqual(['open', 'open']);
});
