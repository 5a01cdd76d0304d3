import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longTuningRun } from '#lib/core/tuning/long-tuning-run.test-support.ts';
import { paretoFront, tuningObjectives } from './tuning-objectives.ts';

const score = (goodness: readonly number[]) => goodness;

describe('Pareto front', () => {
  test.each<{ name: string; points: number[][]; front: number[][] }>([
    { name: 'no points', points: [], front: [] },
    { name: 'a single point', points: [[0.5, -3]], front: [[0.5, -3]] },
    {
      name: 'a trade-off without a point that is worse in both',
      points: [
        [0.9, -5],
        [0.7, -2],
        [0.6, -4],
      ],
      front: [
        [0.9, -5],
        [0.7, -2],
      ],
    },
    {
      name: 'an equal score at a lower cost dominates',
      points: [
        [0.9, -5],
        [0.9, -4],
      ],
      front: [[0.9, -4]],
    },
    {
      name: 'equal points all stay',
      points: [
        [0.9, -4],
        [0.9, -4],
      ],
      front: [
        [0.9, -4],
        [0.9, -4],
      ],
    },
  ])('$name', ({ points, front }) => {
    expect(paretoFront(points, score)).toEqual(front);
  });

  test('every excluded point is dominated by a point of the front, and no front point dominates another', () => {
    const point = fc.tuple(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 5 }),
    );
    const beats = (one: readonly number[], other: readonly number[]) =>
      one.every((value, at) => value >= (other[at] ?? 0)) && one.join() !== other.join();
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 20 }), (points) => {
        const front = paretoFront(points, score);
        expect(front.length).toBeGreaterThan(0);
        for (const one of points) expect(front.includes(one)).toBe(!front.some((other) => beats(other, one)));
      }),
      { seed: 7 },
    );
  });
});

describe('objectives of candidates', () => {
  const { history } = longTuningRun({ cases: 40, candidates: 4 });
  const costOf = (version: number, changed = history) =>
    tuningObjectives(changed).candidates.find((one) => one.version === version);

  test('averages cost and latency per validation case, excluding reused responses', () => {
    const validation = history.cases.filter(({ split }) => split === 'validation').length;
    expect(costOf(1)).toMatchObject({
      costUsd: { n: validation, mean: expect.closeTo(0.00042, 8) },
      latencyMs: { n: validation, mean: 577 },
    });
    const reused = { ...history, tries: history.tries.map((one) => ({ ...one, paidBefore: one.version === 1 })) };
    expect(costOf(1, reused)).toMatchObject({ costUsd: null, latencyMs: null });
    const unpriced = { ...history, tries: history.tries.map((one) => ({ ...one, costUsd: null })) };
    expect(costOf(1, unpriced)).toMatchObject({ costUsd: null, latencyMs: { n: validation } });
  });

  test('estimates prompt tokens as a quarter of the characters, null for a dropped text', () => {
    const length = history.versions[2]?.output.length ?? 0;
    expect(costOf(2)?.promptTokens).toBe(Math.ceil(length / 4));
    const dropped = {
      ...history,
      versions: history.versions.map((one) => (one.number === 2 ? { ...one, outputDropped: true, output: '' } : one)),
    };
    expect(costOf(2, dropped)?.promptTokens).toBeNull();
  });

  test('lists the leaders by criterion, including ties for the highest mean', () => {
    const even = {
      ...history,
      evaluations: history.evaluations.map((one) => ({
        ...one,
        criteriaScores: { right: one.version / 10, tone: one.version === 0 ? 0.1 : 0.5, absent: null },
      })),
    };
    const n = history.cases.filter(({ split }) => split === 'validation').length;
    expect(tuningObjectives(even).leaders).toEqual([
      { criterion: 'right', mean: 0.3, n, versions: [3] },
      { criterion: 'tone', mean: 0.5, n, versions: [1, 2, 3] },
    ]);
  });
});
