import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

test('never exceeds the limit, even if a call arrives while a slot changes hands', async () => {
  const run = limitConcurrency(1);
  const gate = Promise.withResolvers<void>();
  let atWork = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++atWork);
    await new Promise((resolve) => setImmediate(resolve));
    atWork--;
  };
  const first = run(() => gate.promise);
  const waiting = run(work);
  // Runs right after the first work has ended, before the waiting one continues.
  const late = gate.promise.then(() => run(work));
  gate.resolve();
  await Promise.all([first, waiting, late]);
  expect([most, atWork]).toEqual([1, 0]);
});

test('continues in order after work that fails', async () => {
  const run = limitConcurrency(2);
  const done: number[] = [];
  const outcomes = await Promise.allSettled(
    [0, 1, 2, 3].map((number) =>
      run(async () => {
        done.push(number);
        if (number < 2) throw new Error('failed');
        return number;
      }),
    ),
  );
  expect(done).toEqual([0, 1, 2, 3]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
});
