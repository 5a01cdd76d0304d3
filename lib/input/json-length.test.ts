import { expect, test } from 'vitest';
import { jsonLength } from './json-length.ts';

/** Returns an object whose JSON doubles with each level, from a few different objects. */
function doubled(levels: number): object {
  return levels === 0 ? { text: 'x' } : ((one) => ({ one, other: one }))(doubled(levels - 1));
}

test.each([null, 7, 'text', [], {}, { a: [1, 'b', { c: null }], d: { e: 'f' } }])(
  '%j is about as long as its JSON',
  (value) => {
    const { length } = JSON.stringify(value);
    expect(jsonLength(value)).toBeGreaterThanOrEqual(length / 4);
    expect(jsonLength(value)).toBeLessThanOrEqual(length + 4);
  },
);

test('an object that occurs several times counts each time', () => {
  expect(jsonLength(doubled(10))).toBeGreaterThan(2 ** 10);
  expect(jsonLength(doubled(60))).toBeGreaterThan(2 ** 60);
});

test('an object inside itself and a very deep list have no finite length', () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  expect(jsonLength(loop)).toBe(Number.POSITIVE_INFINITY);
  expect(jsonLength(JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`))).toBe(Number.POSITIVE_INFINITY);
});
