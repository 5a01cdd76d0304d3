import fc from 'fast-check';
import { expect, test } from 'vitest';
import { experimentFlags, type PassCounts } from './experiment-flags.ts';

const counts = (runs: number, everSatisfactory: number, firstSatisfactory: number): PassCounts => ({
  runs,
  everSatisfactory,
  firstSatisfactory,
  unscored: 0,
});

test.each<[string, PassCounts, object[]]>([
  ['no flag without runs', counts(0, 0, 0), []],
  ['no flag with nine failing runs', counts(9, 0, 0), []],
  ['no flag with nine passing runs', counts(9, 9, 9), []],
  [
    'overcritical with ten runs without a satisfactory version',
    counts(10, 0, 0),
    [{ flag: 'overcritical', runs: 10, satisfactory: 0 }],
  ],
  ['no flag with one satisfactory version', counts(1_000, 1, 0), []],
  [
    'undercritical if all first drafts pass',
    counts(10, 10, 10),
    [{ flag: 'undercritical', runs: 10, satisfactory: 10 }],
  ],
  [
    'undercritical at exactly 95 % of first drafts',
    counts(20, 20, 19),
    [{ flag: 'undercritical', runs: 20, satisfactory: 19 }],
  ],
  ['undercritical at 95 % of many first drafts', counts(10_000, 10_000, 9_500), [{ flag: 'undercritical' }]],
  ['no flag just below 95 %', counts(10_000, 10_000, 9_499), []],
  ['no flag with nine of ten', counts(10, 10, 9), []],
  ['no flag if all runs are solved by revisions', counts(50, 50, 10), []],
])('%s', (_name, given, expected) => {
  expect(experimentFlags(given)).toMatchObject(expected);
  expect(experimentFlags(given)).toHaveLength(expected.length);
});

test.each([
  ['no flag with nine unscored runs', 0, 9, []],
  ['a flag with ten unscored runs', 0, 10, [{ flag: 'unscored', runs: 10, satisfactory: 0 }]],
  ['a second flag next to overcritical', 12, 10, [{ flag: 'overcritical', runs: 12 }, { flag: 'unscored' }]],
])('%s', (_name, runs, unscored, expected) => {
  expect(experimentFlags({ runs, everSatisfactory: 0, firstSatisfactory: 0, unscored })).toMatchObject(expected);
  expect(experimentFlags({ runs, everSatisfactory: 0, firstSatisfactory: 0, unscored })).toHaveLength(expected.length);
});

test('sets at most one flag, with its numbers and a remedy', () => {
  const given = fc.tuple(fc.nat(300), fc.nat(300), fc.nat(300)).map((parts) => parts.sort((one, other) => other - one));
  fc.assert(
    fc.property(given, ([runs = 0, ever = 0, first = 0]) => {
      const flags = experimentFlags(counts(runs, ever, first));
      expect(flags.length).toBeLessThanOrEqual(runs < 10 ? 0 : 1);
      for (const { message, remedy, satisfactory } of flags) {
        expect(message).toContain(`${runs} runs`);
        expect(remedy.length).toBeGreaterThan(40);
        expect(satisfactory / runs === 0 || satisfactory / runs >= 0.95).toBe(true);
      }
    }),
  );
});
