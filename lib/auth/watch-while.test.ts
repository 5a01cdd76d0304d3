import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchWhile } from './watch-authorization.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns or throws the answers one after the other. Counts the checks and the ends. */
function watched(answers: (boolean | Error)[]) {
  const seen = { asked: 0, ended: 0 };
  const stop = watchWhile(
    async () => {
      const answer = answers[seen.asked++] ?? true;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    () => {
      seen.ended += 1;
    },
    30_000,
  );
  return { seen, stop };
}

test.each<[string, (boolean | Error)[], { asked: number; ended: number }]>([
  ['continues while access remains', [true, true, true, true], { asked: 4, ended: 0 }],
  ['ends once and is not checked again', [true, false, false, false], { asked: 2, ended: 1 }],
  ['is checked again after a failed check', [new Error('away'), true, false], { asked: 3, ended: 1 }],
])('a stream %s', async (_name, answers, expected) => {
  const { seen, stop } = watched(answers);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toEqual(expected);
  stop();
});

test('stops checking a stream that has ended', async () => {
  const { seen, stop } = watched([true, true]);
  await vi.advanceTimersByTimeAsync(30_000);
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toEqual({ asked: 1, ended: 0 });
});
