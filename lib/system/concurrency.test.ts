import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { inTurn, openTurns, takeSlot } from './concurrency.ts';

test('runs a limited number at a time, the rest in order, also after a failure', async () => {
  const turns = openTurns();
  const began: number[] = [];
  const finish: (() => void)[] = [];
  const works = Array.from({ length: 7 }, (_, at) =>
    inTurn(turns, 4, async () => {
      began.push(at);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (at === 0) throw new Error('the disk is full');
      return at;
    }),
  );
  const ended = Promise.allSettled(works);
  expect(began).toEqual([0, 1, 2, 3]);
  for (let at = 0; at < works.length; at++) {
    finish[at]?.();
    await works[at]?.catch(() => null);
    await new Promise((resolve) => setImmediate(resolve));
    expect(began).toHaveLength(Math.min(7, 5 + at));
  }
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', ...Array(6).fill('fulfilled')]);
  expect(began).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('never exceeds the limit, even if a call arrives while a slot changes hands', async () => {
  const turns = openTurns();
  const gate = Promise.withResolvers<void>();
  let atWork = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++atWork);
    await new Promise((resolve) => setImmediate(resolve));
    atWork--;
  };
  const first = inTurn(turns, 1, () => gate.promise);
  const waiting = inTurn(turns, 1, work);
  // Runs right after the first work has ended, before the waiting one continues.
  const late = gate.promise.then(() => inTurn(turns, 1, work));
  gate.resolve();
  await Promise.all([first, waiting, late]);
  expect([most, atWork]).toEqual([1, 0]);
});

test('limits concurrent slots per person and kind, and leaves no entries behind', () => {
  const [ada, bob] = [randomUUID(), randomUUID()];
  const taken = Array.from({ length: 120 }, () => takeSlot('stream', ada, 5)).filter((giveBack) => giveBack !== null);
  expect(taken).toHaveLength(5);
  const others = [takeSlot('stream', bob, 5), takeSlot('upload', ada, 5)];
  expect(others).not.toContain(null);
  taken[0]?.();
  taken[0]?.();
  const again = [takeSlot('stream', ada, 5), takeSlot('stream', ada, 5)];
  expect(again.map((giveBack) => giveBack === null)).toEqual([false, true]);
  for (const giveBack of [...taken, ...others, ...again]) giveBack?.();
  expect([...(globalThis.honeSlots?.keys() ?? [])].filter((key) => key.includes(ada) || key.includes(bob))).toEqual([]);
});
