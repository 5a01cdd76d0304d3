import { expect, test } from 'vitest';
import { onShutdown, runShutdownHooks } from './shutdown-hooks.ts';

test('the last registered is closed first, one after another; what was taken back is not closed', async () => {
  const order: string[] = [];
  const close = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(name);
  };
  onShutdown(close('database'));
  onShutdown(close('worker'));
  const takeBack = onShutdown(close('closed stream'));
  onShutdown(close('open stream'));
  takeBack();
  await runShutdownHooks(1000, () => undefined);
  expect(order).toEqual(['open stream', 'worker', 'database']);
});

test('one that fails is said, and the others are closed all the same', async () => {
  const said: string[] = [];
  let closed = false;
  onShutdown(() => {
    closed = true;
  });
  onShutdown(() => {
    throw new Error('stuck');
  });
  await runShutdownHooks(1000, (line) => said.push(line));
  expect(closed).toBe(true);
  expect(said.join()).toContain('stuck');
});

test('one that hangs does not hold up the end', async () => {
  onShutdown(() => new Promise<void>(() => undefined));
  const began = Date.now();
  await runShutdownHooks(100, () => undefined);
  expect(Date.now() - began).toBeLessThan(1000);
});

test('what belongs to an earlier stage is closed then, and not again', async () => {
  const order: string[] = [];
  onShutdown(() => void order.push('database'));
  onShutdown(() => void order.push('worker takes no more'), 'begin');
  onShutdown(() => void order.push('stream'), 'streams');
  await runShutdownHooks(1000, () => undefined, 'begin');
  expect(order).toEqual(['worker takes no more']);
  await runShutdownHooks(1000, () => undefined, 'streams');
  onShutdown(() => void order.push('late stream'), 'streams');
  await runShutdownHooks(1000, () => undefined, 'streams');
  await runShutdownHooks(1000, () => undefined);
  expect(order).toEqual(['worker takes no more', 'stream', 'late stream', 'database']);
});
