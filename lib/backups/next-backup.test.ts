import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextBackupAt, retryWaitMs, type ScheduleState } from './backup-schedule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-03-10T12:00:00Z');
/** Returns the time that many hours from now. */
const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS).toISOString();

type Case = { everyDays: 1 | 7 | null; lastHours?: number; failed?: { hours: number; tries: number } };

function stateOf({ everyDays, lastHours, failed }: Case): ScheduleState {
  return {
    schedule: { everyDays, kept: 7 },
    last: lastHours === undefined ? null : { at: inHours(lastHours) },
    failure: failed === undefined ? null : { at: inHours(failed.hours), tries: failed.tries },
  };
}

describe('the next scheduled backup', () => {
  test.each<[string, Case, number | null]>([
    ['is null if the schedule is off', { everyDays: null, lastHours: -1_000 }, null],
    ['is due at once if there was none before', { everyDays: 1 }, 0],
    ['is due a day after the last', { everyDays: 1, lastHours: -20 }, 4],
    ['is due at the exact time', { everyDays: 1, lastHours: -24 }, 0],
    ['is due seven days after the last', { everyDays: 7, lastHours: -24 }, 144],
    ['is due once after a long downtime', { everyDays: 1, lastHours: -2_000 }, 0],
    ['applies a shorter interval at once', { everyDays: 1, lastHours: -100 }, 0],
    ['applies a longer interval at once', { everyDays: 7, lastHours: -100 }, 68],
    ['waits 15 minutes after a failure', { everyDays: 1, failed: { hours: 0, tries: 1 } }, 0.25],
    [
      'doubles the wait after the next failure',
      { everyDays: 1, lastHours: -30, failed: { hours: -0.1, tries: 2 } },
      0.4,
    ],
    ['waits at most six hours', { everyDays: 1, lastHours: -900, failed: { hours: -1, tries: 60 } }, 5],
    ['is retried after the wait', { everyDays: 1, lastHours: -30, failed: { hours: -0.25, tries: 1 } }, 0],
    [
      'is not earlier after a failure to delete old ones',
      { everyDays: 1, lastHours: -1, failed: { hours: -1, tries: 1 } },
      23,
    ],
    ['is hardly delayed by a clock set back a little', { everyDays: 1, lastHours: 5 }, 29],
    ['is not delayed by a clock set back far', { everyDays: 1, lastHours: 9_000 }, 0],
    ['is not delayed by a failure in the future', { everyDays: 1, failed: { hours: 8_000, tries: 1 } }, 0],
  ])('%s', (_name, given, hours) => {
    const next = nextBackupAt(stateOf(given), NOW);
    expect(next?.toISOString() ?? null).toBe(hours === null ? null : inHours(hours));
  });
});

const state: fc.Arbitrary<ScheduleState> = fc
  .record({
    everyDays: fc.constantFrom(1 as const, 7 as const),
    lastHours: fc.option(fc.double({ min: -5_000, max: 5_000, noNaN: true }), { nil: undefined }),
    failed: fc.option(
      fc.record({
        hours: fc.double({ min: -5_000, max: 5_000, noNaN: true }),
        tries: fc.integer({ min: 1, max: 2_000 }),
      }),
      { nil: undefined },
    ),
  })
  .map(({ everyDays, lastHours, failed }) =>
    stateOf({
      everyDays,
      ...(lastHours === undefined ? {} : { lastHours }),
      ...(failed === undefined ? {} : { failed }),
    }),
  );

test('is never in the past, nor more than two intervals ahead', () => {
  fc.assert(
    fc.property(state, (given) => {
      const ahead = (nextBackupAt(given, NOW)?.getTime() ?? Number.NaN) - NOW.getTime();
      expect(ahead).toBeGreaterThanOrEqual(0);
      expect(ahead).toBeLessThanOrEqual(2 * (given.schedule.everyDays ?? 0) * DAY_MS);
    }),
  );
});

test('is due at its time and not earlier', () => {
  fc.assert(
    fc.property(state, fc.integer({ min: 1, max: 20 * 24 * 3_600_000 }), (given, laterMs) => {
      // A failure in the future counts once its time has passed, so it may delay a backup that was due.
      fc.pre(given.failure === null || new Date(given.failure.at) <= NOW);
      const next = nextBackupAt(given, NOW);
      if (next === null) return expect.fail('it is scheduled');
      expect(nextBackupAt(given, next)).toEqual(next);
      const later = new Date(NOW.getTime() + laterMs);
      // Any earlier time gives the same next backup.
      if (later < next) expect(nextBackupAt(given, later)).toEqual(next);
    }),
  );
});

test('waits between a quarter of an hour and six hours before every retry', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), (tries) => {
      expect(retryWaitMs(tries)).toBeGreaterThanOrEqual(HOUR_MS / 4);
      expect(retryWaitMs(tries)).toBeLessThanOrEqual(6 * HOUR_MS);
      expect(retryWaitMs(tries + 1)).toBeGreaterThanOrEqual(retryWaitMs(tries));
    }),
  );
});
