import { describe, expect, test } from 'vitest';
import { wilsonInterval } from '#lib/statistics/intervals.ts';
import { type SummedShare, sumShares } from '#lib/statistics/shares.ts';
import { type InsightsReport, type InsightsSums, insightsReport, insightsReportSchema } from './schema.ts';

/** Returns a share of as many runs as items, one item per run. */
function independent(met: number, of: number): SummedShare {
  return sumShares(Array.from({ length: of }, (_, run) => ({ met: run < met ? 1 : 0, of: 1 })));
}

function sums(more: Partial<InsightsSums> = {}): InsightsSums {
  return {
    experimentId: 'e',
    version: 1,
    name: 'Katas',
    practice: false,
    selfJudged: false,
    qualityThreshold: 0.8,
    runs: 30,
    ended: 28,
    finalBetter: independent(20, 24),
    withinThree: independent(18, 28),
    issues: independent(40, 60),
    alike: { ...independent(9, 10), outputs: 5, largestDistance: 0.12 },
    endedByRule: independent(25, 27),
    corrected: independent(20, 40),
    introduced: independent(4, 80),
    repeats: independent(3, 12),
    evaluations: 90,
    unscored: 2,
    solved: 20,
    costUsd: 0.4,
    unpriced: false,
    gain: 5,
    gained: 26,
    pairs: [],
    ...more,
  };
}

function report(...all: InsightsSums[]): InsightsReport {
  const found = insightsReport(all);
  expect(insightsReportSchema.parse(found)).toEqual(found);
  return found;
}

test('reports no shares and no numbers without data', () => {
  const found = report();
  expect(found).toMatchObject({ experiments: 0, runs: 0, practice: 'none', costs: [], errorsOf: [] });
  expect(found.targets.map(({ verdict, interval }) => [verdict, interval])).toEqual(Array(5).fill(['none', null]));
  expect(found.cost).toMatchObject({ perPointUsd: null, perSolvedUsd: null });
  expect([found.unscored.interval, found.repeats.interval, found.errors.settles, found.people.kappa]).toEqual(
    Array(4).fill(null),
  );
});

test('returns the five targets in order, summed over experiments', () => {
  const found = report(sums(), sums({ finalBetter: independent(1, 6) }));
  expect(found.targets.map(({ target, met, of }) => [target, met, of])).toEqual([
    ['final_better', 21, 30],
    ['within_three', 36, 56],
    ['issues_resolved', 80, 120],
    ['scored_alike', 18, 20],
    ['ended_by_rule', 50, 54],
  ]);
  expect(found).toMatchObject({ experiments: 2, runs: 60, ended: 56, evaluations: 180, unscored: { met: 4, of: 180 } });
  expect(found.rescores).toEqual({ outputs: 10, largestDistance: 0.12 });
});

test('counts evaluations and re-scores of one run as fewer observations', () => {
  // Ten runs with nine evaluations and nine re-scores each. In one run, all of them differ or fail.
  const byRun = sumShares(Array.from({ length: 10 }, (_, run) => ({ met: run === 0 ? 0 : 9, of: 9 })));
  const found = report(
    sums({ ended: 10, evaluations: 90, unscored: 9, alike: { ...byRun, outputs: 10, largestDistance: 0.2 } }),
  );
  const alike = found.targets.find(({ target }) => target === 'scored_alike');
  expect(alike).toMatchObject({ met: 81, of: 90, interval: { ...wilsonInterval(9, 10), share: 0.9 } });
  expect(found.unscored).toEqual({ met: 9, of: 90, interval: { ...wilsonInterval(1, 10), share: 0.1 } });
});

test('reports the origin of the data: practice models and self-judged runs', () => {
  expect(report(sums({ practice: true })).practice).toBe('all');
  expect(report(sums({ practice: true }), sums()).practice).toBe('some');
  expect(report(sums({ selfJudged: true }), sums()).selfJudged).toBe(1);
});

describe('cost', () => {
  test('a point is 0.10 of score: $0.40 for a total gain of 5.0 is $0.008 per point and $0.02 per success', () => {
    expect(report(sums()).cost).toEqual({
      costUsd: 0.4,
      unpriced: false,
      gain: 5,
      gained: 26,
      solved: 20,
      perPointUsd: 0.008,
      perSolvedUsd: 0.02,
    });
  });

  test('sorts by cost, then lower bounds, then experiments without a gain', () => {
    const found = report(
      sums({ name: 'B flat', gain: 1e-9 }),
      sums({ name: 'A flat', gain: -0.2, solved: 0 }),
      sums({ name: 'Bound', gain: 20, unpriced: true }),
      sums({ name: 'Dear', gain: 1 }),
      sums({ name: 'Cheap' }),
    );
    expect(found.costs.map(({ name, perPointUsd }) => [name, perPointUsd === null])).toEqual([
      ['Cheap', false],
      ['Dear', false],
      ['Bound', false],
      ['A flat', true],
      ['B flat', true],
    ]);
    expect(found.costs[3]?.perSolvedUsd).toBeNull();
    expect(found.cost.unpriced).toBe(true);
  });

  test('distinguishes an unknown cost from a cost of $0', () => {
    expect(report(sums({ costUsd: 0, unpriced: true })).cost).toMatchObject({ perPointUsd: null, perSolvedUsd: null });
    expect(report(sums({ costUsd: 0 })).cost).toMatchObject({ perPointUsd: 0, perSolvedUsd: 0 });
  });
});

test('reports error rates overall and per experiment with at least 20 failing checks, and names the others', () => {
  const few = sums({ name: 'Few', corrected: independent(9, 19) });
  const most = sums({ name: 'Most', corrected: independent(30, 60) });
  const found = report(few, sums(), most);
  expect(found.errorsOf.map(({ name }) => name)).toEqual(['Most', 'Katas']);
  expect(found.errorsLeftOut).toEqual(['Few']);
  expect(found.errors).toMatchObject({
    corrected: { met: 59, of: 119 },
    introduced: { met: 12, of: 240 },
    trend: 'rises',
  });
  expect(found.repeats).toMatchObject({ met: 9, of: 36 });
});

test('compares judge scores of all experiments with people and with checks separately', () => {
  const pair = { version: 0, criterion: null, judge: 0.9, truth: 1, judgePass: true, truthPass: true, sameModel: true };
  const found = report(
    sums({ pairs: [{ ...pair, by: 'person', runId: '1' }] }),
    sums({
      pairs: [
        { ...pair, by: 'check', runId: '2' },
        { ...pair, by: 'check', runId: '3', truthPass: false, truth: 0 },
      ],
    }),
  );
  expect(found.people).toMatchObject({ against: 'person', n: 1, agreement: { met: 1, of: 1 } });
  expect(found.checks).toMatchObject({ against: 'check', n: 2, runs: 2, confusion: { letThrough: 1 } });
});
