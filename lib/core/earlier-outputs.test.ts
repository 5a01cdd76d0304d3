import { expect, test } from 'vitest';
import { type EarlierOutputs, earlierOutputs } from './earlier-outputs.ts';
import { historyOf, settingsOf, type VersionGiven } from './history-of.test-support.ts';

test.each<[string, VersionGiven[], number, EarlierOutputs]>([
  ['the first version has none', [{ score: 0.5, output: 'a' }], 0, { previous: null, best: null }],
  ['the second version has the first as both', [{ score: 0.5, output: 'a' }, 0.6], 1, { previous: 'a', best: 'a' }],
  [
    'the best may differ from the previous one',
    [{ score: 0.7, output: 'a' }, { score: 0.4, output: 'b' }, 0.9],
    2,
    { previous: 'b', best: 'a' },
  ],
  [
    'of two equal versions the later is the best',
    [{ score: 0.5, output: 'a' }, { score: 0.5, output: 'b' }, { score: 0.1, output: 'c' }, null],
    3,
    { previous: 'c', best: 'b' },
  ],
  [
    'later versions do not count, whatever their score',
    [{ score: 0.5, output: 'a' }, 0.6, { score: 1, output: 'c' }],
    1,
    { previous: 'a', best: 'a' },
  ],
  [
    'an unscored version may be the previous one, but not the best',
    [{ score: null, output: 'a' }, 0.5],
    1,
    { previous: 'a', best: null },
  ],
  [
    'a cut-off version is skipped',
    [{ score: 0.5, output: 'a' }, { output: 'b', interrupted: true }, 0.5],
    2,
    { previous: 'a', best: 'a' },
  ],
])('%s', (_name, versions, number, expected) => {
  const settings = settingsOf();
  expect(earlierOutputs(historyOf(settings, versions), number)).toEqual(expected);
});
