import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { paretoLeaders, selectCandidate } from './select-candidate.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

/** Builds candidates with these scores on the validation cases. */
function candidatesWith(rows: number[][], seed = 0) {
  const settings = tuningSettingsOf({ tune: { selection: 'pareto', seed } });
  const history = tuningHistory(
    settings,
    { train: 1, validation: rows[0]?.length ?? 0 },
    rows.map((scores, number) => ({
      scores: Object.fromEntries(scores.map((score, at) => [at + 1, score])),
      evaluated: true,
      origin: number === 0 ? ('given' as const) : ('edited' as const),
    })),
  );
  return { settings, history };
}

describe('Pareto front of candidates', () => {
  test.each<{ name: string; rows: number[][]; leaders: [number, number][] }>([
    { name: 'one candidate', rows: [[0, 0]], leaders: [[0, 2]] },
    {
      name: 'one that dominates all others',
      rows: [
        [0, 0.5],
        [0.5, 1],
      ],
      leaders: [[1, 2]],
    },
    {
      name: 'two that complement each other',
      rows: [
        [1, 0, 0],
        [0, 1, 1],
      ],
      leaders: [
        [0, 1],
        [1, 2],
      ],
    },
    {
      name: 'a high mean without a lead on any case',
      rows: [
        [1, 0],
        [0, 1],
        [0.75, 0.75],
      ],
      leaders: [
        [0, 1],
        [1, 1],
      ],
    },
    {
      name: 'a dominated one with a shared lead',
      rows: [
        [1, 0],
        [1, 0.5],
        [0, 1],
      ],
      leaders: [
        [1, 1],
        [2, 1],
      ],
    },
    {
      name: 'equal candidates',
      rows: [
        [1, 0],
        [1, 0],
      ],
      leaders: [
        [0, 2],
        [1, 2],
      ],
    },
  ])('$name', ({ rows, leaders }) => {
    const { history } = candidatesWith(rows);
    expect(paretoLeaders(history, 'pareto').map(({ number, leads }) => [number, leads])).toEqual(leaders);
  });

  test('always includes a sole leader on a case and never a dominated candidate', () => {
    const row = fc.array(
      fc.integer({ min: 0, max: 4 }).map((quarters) => quarters / 4),
      { minLength: 4, maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const drawn = paretoLeaders(candidatesWith(rows).history, 'pareto').map(({ number }) => number);
        expect(drawn.length).toBeGreaterThan(0);
        for (const [number, scores] of rows.entries()) {
          const others = rows.filter((_row, at) => at !== number);
          const leadsAlone = scores.some((score, at) => others.every((other) => (other[at] ?? 0) < score));
          if (leadsAlone) expect(drawn).toContain(number);
          const isDominated = others.some((other) => other.every((score, at) => score > (scores[at] ?? 0)));
          if (isDominated) expect(drawn).not.toContain(number);
        }
      }),
    );
  });
});

describe('parent of a round', () => {
  const rows = [
    [1, 0, 0, 0],
    [0, 1, 1, 1],
  ];

  test('depends only on the seed and the round, weighted by the cases a candidate leads', () => {
    const { settings, history } = candidatesWith(rows);
    const drawn = Array.from({ length: 400 }, (_round, round) => selectCandidate(history, settings, round));
    expect(Array.from({ length: 400 }, (_round, round) => selectCandidate(history, settings, round))).toEqual(drawn);
    const share = drawn.filter((number) => number === 1).length / drawn.length;
    // The expected share is three of four cases. Four standard deviations of a fair draw are 0.087.
    expect(share).toBeGreaterThan(0.66);
    expect(share).toBeLessThan(0.84);
    const other = candidatesWith(rows, 1);
    const again = drawn.map((_number, round) => selectCandidate(other.history, other.settings, round));
    expect(again).not.toEqual(drawn);
  });

  test('has the best mean with the selection "best"', () => {
    const { history } = candidatesWith(rows);
    const settings = tuningSettingsOf({ tune: { selection: 'best' } });
    expect([0, 1, 2].map((round) => selectCandidate(history, settings, round))).toEqual([1, 1, 1]);
  });

  test('is null until a candidate is validated', () => {
    const settings = tuningSettingsOf();
    expect(selectCandidate(tuningHistory(settings, { train: 2 }, [{}]), settings, 0)).toBeNull();
  });
});

describe('selection by criteria', () => {
  /** Builds candidates with the same scores on both cases and these means of two criteria. */
  function withMeans(means: Record<string, number | null>[], rows = means.map(() => [0.5, 0.5])) {
    const { settings, history } = candidatesWith(rows);
    const evaluations = history.evaluations.map((one) => ({ ...one, criteriaScores: means[one.version] ?? {} }));
    return { settings, history: { ...history, evaluations } };
  }

  test.each<{
    name: string;
    means: Record<string, number | null>[];
    rows?: number[][];
    criteria: number[];
    hybrid: number[];
  }>([
    {
      name: 'two with a lead on one criterion each',
      means: [
        { right: 0.9, brief: 0.1 },
        { right: 0.1, brief: 0.9 },
        { right: 0.5, brief: 0.5 },
      ],
      criteria: [0, 1],
      hybrid: [0, 1, 2],
    },
    {
      name: 'one with a lead on a case only',
      means: [{ right: 0.9 }, { right: 0.5 }],
      rows: [
        [1, 0],
        [0, 1],
      ],
      criteria: [0],
      hybrid: [0, 1],
    },
    {
      name: 'a missing mean is no lead',
      means: [
        { right: 0.4, brief: null },
        { right: 0.3, brief: 0.2 },
        { right: 0.1, brief: 0.1 },
      ],
      criteria: [0, 1],
      hybrid: [0, 1],
    },
  ])('$name', ({ means, rows, criteria, hybrid }) => {
    const { history } = withMeans(means, rows);
    const numbers = (selection: 'pareto_criteria' | 'pareto_hybrid') =>
      paretoLeaders(history, selection).map(({ number }) => number);
    expect(numbers('pareto_criteria')).toEqual(criteria);
    expect(numbers('pareto_hybrid')).toEqual(hybrid);
  });

  test('draws the parent from the leaders, even if another candidate has the best mean', () => {
    const { history } = withMeans([
      { right: 0.9, brief: 0.1 },
      { right: 0.1, brief: 0.9 },
      { right: 0.5, brief: 0.5 },
    ]);
    const drawn = (selection: 'pareto_criteria' | 'best') => {
      const settings = tuningSettingsOf({ tune: { selection } });
      return new Set(Array.from({ length: 40 }, (_round, round) => selectCandidate(history, settings, round)));
    };
    expect(drawn('pareto_criteria')).toEqual(new Set([0, 1]));
    expect(drawn('best')).toEqual(new Set([2]));
  });
});
