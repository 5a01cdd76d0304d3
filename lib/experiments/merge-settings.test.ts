import { expect, test } from 'vitest';
import { mergeSettings } from './create-experiment.ts';

const react = { type: 'react', tools: ['calculator'], maxSteps: 10 };

test.each([
  {
    name: 'objects are merged, lists are replaced',
    before: { generator: { model: 'a', base: react } },
    change: { generator: { base: { tools: ['javascript'] } } },
    after: { generator: { model: 'a', base: { ...react, tools: ['javascript'] } } },
  },
  {
    name: 'a base of the same type is merged',
    before: { base: react },
    change: { base: { type: 'react', maxSteps: 3 } },
    after: { base: { ...react, maxSteps: 3 } },
  },
  {
    name: 'a base of another type is replaced',
    before: { generator: { base: react } },
    change: { generator: { base: { type: 'single' } } },
    after: { generator: { base: { type: 'single' } } },
  },
  {
    name: 'null turns a setting off',
    before: { convergence: { plateauIterations: 2 } },
    change: { convergence: null },
    after: { convergence: null },
  },
])('merges a change into the settings: $name', ({ before, change, after }) => {
  expect(mergeSettings(before, change)).toEqual(after);
});

test('keeps the key __proto__ of a change, so that it is rejected as unknown', () => {
  const merged = mergeSettings(
    { budget: { maxCalls: 1 } },
    JSON.parse('{"__proto__":{"a":1},"budget":{"__proto__":{"b":1}}}'),
  );
  expect(Object.keys(merged)).toEqual(['budget', '__proto__']);
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(Object.keys(Object(merged.budget))).toEqual(['maxCalls', '__proto__']);
});
