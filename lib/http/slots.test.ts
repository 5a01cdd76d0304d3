import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { takeSlot } from './slots.ts';

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
