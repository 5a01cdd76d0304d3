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
