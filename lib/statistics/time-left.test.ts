import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

describe('remaining time of a batch', () => {
  test.each([
    { name: 'nothing has ended', ended: 0, spanMs: 60_000, remaining: 10 },
    { name: 'two have ended', ended: 2, spanMs: 60_000, remaining: 10 },
    { name: 'nothing remains', ended: 10, spanMs: 60_000, remaining: 0 },
    { name: 'no time has passed', ended: 10, spanMs: 0, remaining: 5 },
  ])('is null if $name', ({ name: _name, ...pace }) => {
    expect(timeLeft(pace)).toBeNull();
  });

  test('is a range around the pace: 16 in 16 s, 16 remaining', () => {
    // exp(1.959964 × √(1/16 + 1/16)) = 1.99961…
    expect(timeLeft({ ended: 16, spanMs: 16_000, remaining: 16 })).toEqual({
      lowestMs: 8_002,
      highestMs: 31_994,
      n: 16,
    });
  });

  test('contains the expected time, and narrows as more runs end', () => {
    const count = fc.integer({ min: 3, max: 10_000 });
    const span = fc.integer({ min: 1_000, max: 10_000_000 });
    fc.assert(
      fc.property(count, count, span, (ended, remaining, spanMs) => {
        const [one, more] = [
          timeLeft({ ended, spanMs, remaining }),
          timeLeft({ ended: ended * 2, spanMs: spanMs * 2, remaining }),
        ];
        if (one === null || more === null) throw new Error('no range');
        const expected = (spanMs / ended) * remaining;
        expect(one.lowestMs).toBeLessThanOrEqual(Math.ceil(expected));
        expect(one.highestMs).toBeGreaterThanOrEqual(Math.floor(expected));
        expect(more.highestMs).toBeLessThanOrEqual(one.highestMs);
        expect(more.lowestMs).toBeGreaterThanOrEqual(one.lowestMs);
      }),
    );
  });

  test('contains the actual time of 95 % of simulated batches', () => {
    let state = 20_260_117;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return (state + 1) / 2_147_483_649;
    };
    const gap = () => -Math.log(random());
    const span = (ends: number) => Array.from({ length: ends }, gap).reduce((sum, one) => sum + one, 0);
    const trials = 2_000;
    let within = 0;
    for (let trial = 0; trial < trials; trial++) {
      const range = timeLeft({ ended: 20, spanMs: span(20) * 1_000_000, remaining: 30 });
      const elapsed = span(30) * 1_000_000;
      if (range !== null && elapsed >= range.lowestMs && elapsed <= range.highestMs) within++;
    }
    expect(within / trials).toBeGreaterThan(0.93);
    expect(within / trials).toBeLessThan(0.97);
  });
});
