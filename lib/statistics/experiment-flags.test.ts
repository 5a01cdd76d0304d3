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
  ['no run', counts(0, 0, 0), []],
  ['nine runs say nothing yet', counts(9, 0, 0), []],
  ['nor when all pass', counts(9, 9, 9), []],
  ['ten runs, nothing ever satisfactory', counts(10, 0, 0), [{ flag: 'overcritical', runs: 10, satisfactory: 0 }]],
  ['one satisfactory version is enough', counts(1_000, 1, 0), []],
  ['all first drafts pass', counts(10, 10, 10), [{ flag: 'undercritical', runs: 10, satisfactory: 10 }]],
  ['95 % exactly', counts(20, 20, 19), [{ flag: 'undercritical', runs: 20, satisfactory: 19 }]],
  ['95 % of many', counts(10_000, 10_000, 9_500), [{ flag: 'undercritical' }]],
  ['just below', counts(10_000, 10_000, 9_499), []],
  ['nine of ten', counts(10, 10, 9), []],
  ['all solved, but by revising', counts(50, 50, 10), []],
])('%s', (_name, given, expected) => {
  expect(experimentFlags(given)).toMatchObject(expected);
  expect(experimentFlags(given)).toHaveLength(expected.length);
});

test.each([
  ['nine that could not be scored say nothing yet', 0, 9, []],
  ['ten do', 0, 10, [{ flag: 'unscored', runs: 10, satisfactory: 0 }]],
  ['beside those that were never satisfactory', 12, 10, [{ flag: 'overcritical', runs: 12 }, { flag: 'unscored' }]],
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
