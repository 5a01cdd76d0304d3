import { describe, expect, test } from 'vitest';
import { insertArm } from '#lib/compare/insert-arm.test-support.ts';
import { meanInterval, wilsonInterval } from '#lib/statistics/intervals.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { beginOfWeek, everyWeek, findTrends, insightScope, pointOf } from './find-insights.ts';

const db = useTestDatabase();

describe('weeks', () => {
  test.each([
    { at: '2026-11-23T00:00:00Z', monday: '2026-11-23' },
    { at: '2026-11-29T23:59:59Z', monday: '2026-11-23' },
    { at: '2026-12-01T12:00:00Z', monday: '2026-11-30' },
  ])('$at is in the week of $monday', ({ at, monday }) => {
    expect(beginOfWeek(new Date(at)).toISOString().slice(0, 10)).toBe(monday);
  });

  test('include those without ended runs', () => {
    expect(everyWeek(new Date('2026-11-09T00:00:00Z'), new Date('2026-11-25T10:00:00Z'))).toEqual([
      ...['2026-11-09', '2026-11-16', '2026-11-23'],
    ]);
  });
});

describe('pointOf', () => {
  /** Returns the sums of runs of different cases by their standard deviation. */
  const amount = (n: number, mean: number | null, deviation: number) => {
    const squares = deviation ** 2 * (n - 1);
    return { n, mean, squares, cases: n, caseSquares: squares };
  };
  const row = {
    ...{ ended: 4, unscored: 1, unpriced: 3 },
    solved: { met: 2, of: 3, clusters: 3, metMet: 2, metOf: 2, ofOf: 3 },
    ...{ score: amount(3, 0.8, 0.1), cost: amount(1, 0.02, 0) },
  };

  test('returns n and an interval for each mean and excludes unscored runs', () => {
    const { solved, score, costUsd } = pointOf('v1', row);
    expect(solved).toMatchObject({ met: 2, of: 3 });
    expect(score).toMatchObject({ n: 3, mean: 0.8 });
    expect(score?.low).toBeCloseTo(meanInterval([0.7, 0.8, 0.9])?.low ?? 0, 5);
    expect(score?.high).toBeCloseTo(meanInterval([0.7, 0.8, 0.9])?.high ?? 0, 5);
    expect(costUsd).toEqual({ n: 1, mean: 0.02, low: null, high: null });
  });

  test('equal scores have the interval of a share, and equal costs have none', () => {
    const equal = { ...row, score: amount(3, 0.8, 0), cost: amount(3, 0.02, 0) };
    const { score, costUsd } = pointOf('v1', equal);
    expect(score).toMatchObject({ n: 3, mean: 0.8 });
    expect(score?.low).toBeCloseTo(0.2877, 4);
    expect(score?.high).toBeCloseTo(0.9754, 4);
    expect(costUsd).toEqual({ n: 3, mean: 0.02, low: null, high: null });
  });

  test('scores of 0 and 1 have the interval of a share', () => {
    // Three of four scores are 1, so the standard deviation is 0.5.
    const { score } = pointOf('v1', { ...row, score: amount(4, 0.75, 0.5) });
    expect(score?.low).toBeCloseTo(0.3006, 4);
    expect(score?.high).toBeCloseTo(0.9544, 4);
  });

  test('equal means of cases do not narrow the interval', () => {
    // Two cases with the scores 0.4 and 0.6 each: as wide as for two independent runs.
    const { score } = pointOf('v1', { ...row, score: { n: 4, mean: 0.5, squares: 0.04, cases: 2, caseSquares: 0 } });
    expect(score?.low).toBeCloseTo(wilsonInterval(1, 2)?.low ?? 0, 5);
    expect(score?.high).toBeCloseTo(wilsonInterval(1, 2)?.high ?? 0, 5);
  });

  test('returns no value without scored or priced runs', () => {
    const none = {
      ...{ ended: 4, unscored: 4, unpriced: 4, score: amount(0, null, 0), cost: amount(0, null, 0) },
      solved: { met: 0, of: 0, clusters: 0, metMet: 0, metOf: 0, ofOf: 0 },
    };
    expect(pointOf('v1', none)).toMatchObject({ solved: { of: 0, interval: null }, score: null, costUsd: null });
  });
});

test('counts runs in the week of their end and under their own version', async () => {
  const database = db.database();
  const { experimentId: arm } = await insertArm(database, {
    name: 'Trends',
    runs: [
      { input: 'a', scores: [0.4, 1] },
      { input: 'b', scores: [0.5] },
      { input: 'c', scores: [null] },
    ],
  });
  const now = new Date();
  const lastWeek = new Date(now.getTime() - 7 * 86_400_000);
  await database.pool.query("UPDATE runs SET finished_at = $2 WHERE experiment_id = $1 AND input = 'b'", [
    arm,
    lastWeek,
  ]);
  await database.pool.query("UPDATE runs SET finished_at = $2 WHERE experiment_id = $1 AND input <> 'b'", [arm, now]);
  const scope = await insightScope(database, { experimentId: arm, models: null, days: null }, now);
  const { weeks, versions } = await findTrends(database, scope, arm, now);
  expect(weeks).toHaveLength(12);
  expect(weeks.at(-1)).toMatchObject({ ended: 2, unscored: 1, solved: { met: 1, of: 1 }, score: { n: 1, mean: 1 } });
  expect(weeks.at(-2)).toMatchObject({ ended: 1, unscored: 0, solved: { met: 0, of: 1 }, score: { n: 1, mean: 0.5 } });
  expect(weeks.at(-3)).toMatchObject({ ended: 0, solved: { interval: null }, score: null });
  expect(versions).toMatchObject([{ label: 'v1', ended: 3, unscored: 1, score: { n: 2, mean: 0.75 } }]);
});

test('counts runs of one case as dependent in intervals', async () => {
  const database = db.database();
  const repeated = (input: string, score: number) =>
    Array.from({ length: 4 }, () => ({ input, scores: [score], costUsd: score === 1 ? 0.03 : 0.01 }));
  const { experimentId: arm } = await insertArm(database, {
    name: 'Repeated',
    runs: [...repeated('a', 1), ...repeated('b', 0.5), ...repeated('c', 0.6)],
  });
  const now = new Date();
  await database.pool.query('UPDATE runs SET finished_at = $2 WHERE experiment_id = $1', [arm, now]);
  const scope = await insightScope(database, { experimentId: arm, models: null, days: null }, now);
  const { weeks, versions } = await findTrends(database, scope, arm, now);
  for (const point of [weeks.at(-1), versions.at(-1)]) {
    expect(point).toMatchObject({ ended: 12, solved: { met: 4, of: 12 }, score: { n: 12 } });
    expect(point?.score?.mean).toBeCloseTo(0.7, 9);
    expect(point?.solved.interval?.high).toBeCloseTo(wilsonInterval(1, 3)?.high ?? 0, 6);
    // As for three values.
    expect(point?.score?.low).toBeCloseTo(meanInterval([1, 0.5, 0.6])?.low ?? 0, 5);
    expect(point?.costUsd?.high).toBeCloseTo(0.05 / 3 + (4.30265 * 0.011547) / Math.sqrt(3), 4);
  }
});
