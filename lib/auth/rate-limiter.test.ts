import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimiter } from './rate-limits.ts';

const MINUTE_MS = 60_000;

/** Returns the times of the accepted requests of one key, sent with these gaps in milliseconds. */
function takenAt(gaps: number[], perMinute: number): number[] {
  const limiter = createRateLimiter(10);
  let now = 0;
  const taken: number[] = [];
  for (const gap of gaps) {
    now += gap;
    if (limiter.take([{ key: 'ada', perMinute }], now) === 0) taken.push(now);
  }
  return taken;
}

describe('createRateLimiter', () => {
  test('accepts a burst of one minute’s requests, then an even rate', () => {
    const limiter = createRateLimiter(10);
    const take = (now: number) => limiter.take([{ key: 'ada', perMinute: 60 }], now);
    for (let count = 0; count < 60; count += 1) expect(take(0)).toBe(0);
    expect(take(0)).toBeCloseTo(1_000);
    expect(take(400)).toBeCloseTo(600);
    expect(take(1_000)).toBe(0);
    expect(take(1_000)).toBeCloseTo(1_000);
    for (let count = 0; count < 60; count += 1) expect(take(200_000)).toBe(0);
    expect(take(200_000)).toBeGreaterThan(0);
  });

  test('never accepts more than the burst plus the refill', () => {
    const schedules = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 120 });
    fc.assert(
      fc.property(schedules, fc.integer({ min: 1, max: 40 }), (gaps, perMinute) => {
        const taken = takenAt(gaps, perMinute);
        for (const [first, from] of taken.entries())
          for (const [last, until] of taken.entries()) {
            if (last < first) continue;
            const allowed = perMinute + ((until - from) * perMinute) / MINUTE_MS;
            expect(last - first + 1).toBeLessThanOrEqual(allowed + 0.001);
          }
      }),
    );
  });

  test('never rejects requests at the allowed rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 300 }), (perMinute, count) => {
        const gaps = Array.from({ length: count }, () => MINUTE_MS / perMinute);
        expect(takenAt(gaps, perMinute)).toHaveLength(count);
      }),
    );
  });

  test('accepts a request after the returned wait, and rejected requests cost nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 50 }), (perMinute, more) => {
        const limiter = createRateLimiter(10);
        const charges = [{ key: 'ada', perMinute }];
        for (let count = 0; count < perMinute; count += 1) expect(limiter.take(charges, 0)).toBe(0);
        const wait = limiter.take(charges, 0);
        for (let count = 0; count < more; count += 1) expect(limiter.take(charges, 0)).toBe(wait);
        expect(limiter.take(charges, Math.ceil(wait))).toBe(0);
      }),
    );
  });

  test('counts each key separately, and one request under several keys or none', () => {
    const limiter = createRateLimiter(10);
    const [person, token] = [
      { key: 'person', perMinute: 3 },
      { key: 'token', perMinute: 2 },
    ];
    expect([limiter.take([person, token], 0), limiter.take([person, token], 0)]).toEqual([0, 0]);
    expect(limiter.take([person, token], 0)).toBeGreaterThan(0);
    expect(limiter.take([person], 0)).toBe(0);
    expect(limiter.take([person], 0)).toBeGreaterThan(0);
    expect(limiter.take([{ key: 'other', perMinute: 1 }], 0)).toBe(0);
  });

  test('counts nothing if the limit is off', () => {
    const limiter = createRateLimiter(10);
    for (let count = 0; count < 1_000; count += 1) expect(limiter.take([{ key: 'a', perMinute: 0 }], 0)).toBe(0);
    expect(limiter.size()).toBe(0);
  });

  test('keeps a bounded number of keys, the most recently used ones', () => {
    const limiter = createRateLimiter(100);
    for (let at = 0; at < 100_000; at += 1) {
      limiter.take([{ key: `made up ${at}`, perMinute: 10 }], at / 1_000);
      if (at % 50 === 0) limiter.take([{ key: 'ada', perMinute: 3_000 }], at / 1_000);
    }
    expect(limiter.size()).toBeLessThanOrEqual(100);
    let left = 0;
    while (limiter.take([{ key: 'ada', perMinute: 3_000 }], 100) === 0) left += 1;
    expect(left).toBeLessThan(1_100);
  });

  test('removes keys that have fully refilled', () => {
    const limiter = createRateLimiter(1_000);
    for (let at = 0; at < 500; at += 1) limiter.take([{ key: `${at}`, perMinute: 10 }], 0);
    for (let at = 0; at < 500; at += 1) limiter.take([{ key: 'ada', perMinute: 1_000 }], 120_000);
    expect(limiter.size()).toBe(1);
  });
});
