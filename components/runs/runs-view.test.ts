import { expect, test } from 'vitest';
import { isRunsFiltered, readRunsView, runsParams } from './runs-view.ts';

const NONE = {
  experiment: null,
  version: null,
  status: null,
  reason: null,
  reading: null,
  models: null,
  days: null,
  q: null,
};
const ID = '0a1b2c3d-0000-4000-8000-00000000abcd';

test.each([
  ['no parameters', {}, NONE],
  [
    'all parameters',
    {
      experiment: ID.toUpperCase(),
      version: '3',
      status: 'failed',
      reason: 'plateau',
      reading: 'people.held_back',
      models: 'all',
      days: '30',
      q: ' refund ',
    },
    {
      experiment: ID,
      version: 3,
      status: 'failed',
      reason: 'plateau',
      reading: 'people.held_back',
      models: 'all',
      days: 30,
      q: 'refund',
    },
  ],
  [
    'invalid parameters as defaults',
    {
      experiment: 'x',
      version: '0',
      status: 'lost',
      reason: 'bored',
      reading: 'judge',
      models: 'none',
      days: '31',
      q: ' ',
    },
    NONE,
  ],
])('reads from the URL %s', (_name, params: Record<string, string>, expected) => {
  const view = readRunsView((name) => params[name] ?? null);
  expect(view).toEqual(expected);
  expect(isRunsFiltered(view)).toBe(expected !== NONE);
  const back = runsParams(view);
  expect(readRunsView((name) => back[name] ?? null)).toEqual(expected);
});
