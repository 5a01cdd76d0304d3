import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { type AttemptLimit, clearAttempts, countAttempt, deleteOldAttempts, refundAttempt } from './attempt-limits.ts';

const { database } = useTestDatabase();
const MINUTE_MS = 60_000;
const LIMIT: AttemptLimit = {
  tries: 3,
  windowMs: 15 * MINUTE_MS,
  firstBlockMs: MINUTE_MS,
  longestBlockMs: 4 * MINUTE_MS,
};
const START = Date.parse('2026-03-01T12:00:00.000Z');
const at = (minutes: number) => new Date(START + minutes * MINUTE_MS);

/** Attempts at these minutes. Returns for each 'allowed', or the minute of the next allowed attempt. */
async function tryAt(key: string, minutes: number[]): Promise<(number | 'allowed')[]> {
  const seen: (number | 'allowed')[] = [];
  for (const minute of minutes) {
    const attempt = await countAttempt(database(), { key, limit: LIMIT, now: at(minute) });
    seen.push(attempt.isAllowed ? 'allowed' : (attempt.until.getTime() - START) / MINUTE_MS);
  }
  return seen;
}

test.each<[string, number[], (number | 'allowed')[]]>([
  ['accepts the maximum number of attempts', [0, 0, 0], ['allowed', 'allowed', 'allowed']],
  ['blocks one attempt more', [0, 0, 0, 0.5], ['allowed', 'allowed', 'allowed', 1]],
  [
    'doubles the block after the next failures',
    [0, 0, 0, 1, 1.5, 3, 3.5],
    ['allowed', 'allowed', 'allowed', 'allowed', 3, 'allowed', 7],
  ],
  [
    'limits the block to its maximum',
    [0, 0, 0, 1, 3, 7, 11, 11.5],
    ['allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed', 15],
  ],
  [
    'accepts a few attempts with a window between them',
    [0, 0, 16, 16, 16, 16.5],
    ['allowed', 'allowed', 'allowed', 'allowed', 'allowed', 17],
  ],
  [
    'resets long after a block',
    [0, 0, 0, 30, 30, 30, 30.5],
    ['allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed', 31],
  ],
])('%s', async (_name, minutes, expected) => {
  expect(await tryAt(randomUUID(), minutes)).toEqual(expected);
});

test('concurrent attempts cannot exceed the limit', async () => {
  const key = randomUUID();
  const all = await Promise.all(
    Array.from({ length: 40 }, () => countAttempt(database(), { key, limit: LIMIT, now: at(0) })),
  );
  expect(all.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
});

test('a successful attempt is not counted, and can reset all earlier ones', async () => {
  const key = randomUUID();
  await tryAt(key, [0, 0, 0]);
  await refundAttempt(database(), { key, limit: LIMIT });
  expect(await tryAt(key, [0.1, 0.2])).toEqual(['allowed', 1.1]);
  await clearAttempts(database(), key);
  expect(await tryAt(key, [0.3, 0.3, 0.3, 0.4])).toEqual(['allowed', 'allowed', 'allowed', 1.3]);
});

test('deletes attempts older than a day', async () => {
  const [old, fresh] = [randomUUID(), randomUUID()];
  await tryAt(old, [0]);
  await tryAt(fresh, [60]);
  await deleteOldAttempts(database(), at(24 * 60 + 1));
  const { rows } = await database().pool.query('SELECT key FROM sign_in_limits WHERE key = ANY($1)', [[old, fresh]]);
  expect(rows).toEqual([{ key: fresh }]);
});
