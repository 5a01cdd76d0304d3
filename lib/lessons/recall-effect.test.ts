import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recallEffect } from './recall-lessons.ts';

describe('recallEffect', () => {
  test.each([
    { name: 'better beyond the tolerance', before: 0.5, after: 0.6, effect: 'helpful' },
    { name: 'better by exactly the tolerance', before: 0.5, after: 0.55, effect: 'neutral' },
    { name: 'slightly better', before: 0.5, after: 0.52, effect: 'neutral' },
    { name: 'equal', before: 0.5, after: 0.5, effect: 'neutral' },
    { name: 'worse by exactly the tolerance, in floating point', before: 0.35, after: 0.3, effect: 'neutral' },
    { name: 'worse', before: 0.5, after: 0.4, effect: 'harmful' },
    { name: 'solved', before: 0, after: 1, effect: 'helpful' },
    { name: 'no comparison', before: null, after: 1, effect: null },
    { name: 'not scored', before: 0.4, after: null, effect: null },
  ])('$name: $effect', ({ before, after, effect }) => {
    expect(recallEffect({ before, after })).toBe(effect);
  });

  test('is symmetric for gains and losses', () => {
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    const mirrored = { helpful: 'harmful', harmful: 'helpful', neutral: 'neutral' };
    fc.assert(
      fc.property(score, score, score, (before, after, tolerance) => {
        const effect = recallEffect({ before, after, tolerance });
        expect(recallEffect({ before: after, after: before, tolerance })).toBe(effect && mirrored[effect]);
      }),
    );
  });
});
