import { describe, expect, test } from 'vitest';
import { insertArm } from '#lib/compare/insert-arm.test-support.ts';
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
  const row = {
    ...{ ended: 4, unscored: 1, solved: 2, scored: 3, scoreMean: 0.8, scoreDeviation: 0.1 },
    ...{ priced: 1, unpriced: 3, costMean: 0.02, costDeviation: null },
  };

  test('returns n and an interval for each mean and excludes unscored runs', () => {
    const { solved, score, costUsd } = pointOf('v1', row);
    expect(solved).toMatchObject({ met: 2, of: 3 });
    expect(score).toMatchObject({ n: 3, mean: 0.8 });
    expect(score?.low).toBeCloseTo(0.8 - (4.3027 * 0.1) / Math.sqrt(3), 3);
    expect(score?.high).toBe(1);
    expect(costUsd).toEqual({ n: 1, mean: 0.02, low: null, high: null });
  });

  test('equal scores have the interval of a share, and equal costs have none', () => {
    const equal = { ...row, scoreDeviation: 0, ...{ priced: 3, costDeviation: 0 } };
    const { score, costUsd } = pointOf('v1', equal);
    expect(score).toMatchObject({ n: 3, mean: 0.8 });
    expect(score?.low).toBeCloseTo(0.2877, 4);
    expect(score?.high).toBeCloseTo(0.9754, 4);
    expect(costUsd).toEqual({ n: 3, mean: 0.02, low: null, high: null });
  });

  test('scores of 0 and 1 have the interval of a share', () => {
    // Three of four scores are 1, so the standard deviation is 0.5.
    const { score } = pointOf('v1', { ...row, ended: 5, scored: 4, scoreMean: 0.75, scoreDeviation: 0.5 });
    expect(score?.low).toBeCloseTo(0.3006, 4);
    expect(score?.high).toBeCloseTo(0.9544, 4);
  });

  test('returns no value without scored or priced runs', () => {
    const none = {
      ...row,
      ...{ solved: 0, unscored: 4, scored: 0, scoreMean: null },
      ...{ priced: 0, costMean: null },
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
