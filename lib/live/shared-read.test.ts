import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { announceAllEvents, announceEvents, followRun } from './live.ts';
import { sharedRead } from './shared-read.ts';

const leaves: (() => void)[] = [];
afterEach(() => {
  for (const leave of leaves.splice(0)) leave();
});

function follow(runId: string): { count: () => number } {
  let calls = 0;
  const onEvents = () => {
    calls += 1;
  };
  leaves.push(followRun(runId, { onEvents, onText: () => undefined }));
  return { count: () => calls };
}

/** Creates a read that returns how many times it has run. */
function counted() {
  let made = 0;
  const read = sharedRead(async (_runId: string, _after: number) => {
    made += 1;
    return made;
  });
  return { read, made: () => made };
}

describe('a read of a followed run', () => {
  test('runs once for concurrent requests', async () => {
    const runId = randomUUID();
    follow(runId);
    const { read, made } = counted();
    expect(await Promise.all(Array.from({ length: 50 }, () => read(runId, 3)))).toEqual(Array(50).fill(1));
    expect(made()).toBe(1);
  });

  test('runs again after an announcement, even while the previous read is pending', async () => {
    const runId = randomUUID();
    follow(runId);
    const { read } = counted();
    const before = read(runId, 3);
    announceEvents(runId);
    expect(await Promise.all([before, read(runId, 3), read(runId, 3)])).toEqual([1, 2, 2]);
  });

  test('is not shared between runs or positions', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    follow(one);
    follow(other);
    const { read } = counted();
    expect(await Promise.all([read(one, 0), read(one, 1), read(other, 0)])).toEqual([1, 2, 3]);
  });

  test('runs again after a failure', async () => {
    const runId = randomUUID();
    follow(runId);
    let made = 0;
    const read = sharedRead(async () => {
      made += 1;
      if (made === 1) throw new Error('away');
      return made;
    });
    await expect(read(runId)).rejects.toThrow('away');
    expect(await read(runId)).toBe(2);
  });

  test('is not cached for a later follower after all others have left', async () => {
    const runId = randomUUID();
    follow(runId);
    const { read } = counted();
    await read(runId, 0);
    leaves.splice(0).map((leave) => leave());
    announceEvents(runId);
    follow(runId);
    expect(await read(runId, 0)).toBe(2);
  });
});

test('reads a run without followers every time', async () => {
  const { read } = counted();
  const runId = randomUUID();
  expect([await read(runId, 0), await read(runId, 0)]).toEqual([1, 2]);
});

test('announceAllEvents notifies all followers after a break', () => {
  const readers = [randomUUID(), randomUUID()].map(follow);
  announceAllEvents();
  expect(readers.map(({ count }) => count())).toEqual([1, 1]);
});
