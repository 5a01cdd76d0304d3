import { expect, test } from 'vitest';
import { onShutdown, runShutdownHooks } from './shutdown-hooks.ts';

test('runs hooks one by one, last registered first, and skips removed hooks', async () => {
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

test('reports a failing hook and still runs the others', async () => {
  const calls: string[] = [];
  let closed = false;
  onShutdown(() => {
    closed = true;
  });
  onShutdown(() => {
    throw new Error('stuck');
  });
  await runShutdownHooks(1000, (line) => calls.push(line));
  expect(closed).toBe(true);
  expect(calls.join()).toContain('stuck');
});

test('reports an error of the database in one line', async () => {
  const lines: string[] = [];
  onShutdown(() => {
    const cause = { kind: 'postgres', originalCode: '57P03', originalMessage: 'the database system is starting up' };
    throw Object.assign(new Error('\nInvalid `prisma.appProcess.deleteMany()` invocation:\n\n\nDatabase error.'), {
      meta: { driverAdapterError: { cause } },
    });
  });
  await runShutdownHooks(1000, (line) => lines.push(line));
  expect(lines).toEqual(['while stopping: the database system is starting up']);
});

test('does not wait for a hanging hook', async () => {
  onShutdown(() => new Promise<void>(() => undefined));
  const began = Date.now();
  await runShutdownHooks(100, () => undefined);
  expect(Date.now() - began).toBeLessThan(1000);
});

test('runs hooks of an earlier stage in that stage only once', async () => {
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
