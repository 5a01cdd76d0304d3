import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAtPace } from './read-at-pace.ts';

/** 100 bytes in each 500 ms. */
const PACE = { minBytesPerSecond: 200, windowMs: 500, totalMs: 60_000 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Starts to read a body. `result` becomes its number of bytes, or the code of its problem. */
function startReading() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const receive = async () => {
    let bytes = 0;
    for await (const piece of readAtPace(readable, PACE)) {
      if (!piece.ok) return piece.problem.code;
      bytes += piece.value.byteLength;
    }
    return bytes;
  };
  const send = (bytes: number) => void writer.write(new Uint8Array(bytes));
  return { send, end: () => void writer.close(), result: receive() };
}

test.each([
  ['accepted at the minimum rate', 10, 400],
  ['refused below it', 9, 'too_slow'],
])('a body is %s', async (_name, bytes, expected) => {
  const { send, end, result } = startReading();
  for (let sent = 0; sent < 40; sent++) {
    send(bytes);
    await vi.advanceTimersByTimeAsync(50);
  }
  end();
  expect(await result).toBe(expected);
});

test('a body is not considered slow while the process is blocked', async () => {
  const { send, end, result } = startReading();
  send(1);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 2_000);
  await vi.advanceTimersByTimeAsync(PACE.windowMs);
  end();
  expect(await result).toBe(1);
});
